import { hardenedContainer, hardenedPod, serverProbes } from '../../host/hardened-pod.ts'
import type { Manifest } from '../../host/manifest.ts'
import { shutdownDelayOf } from '../../shutdown-delay.ts'
import type { TenantDeployment } from './contract.ts'
import {
  controllerManagerContainer,
  controllerManagerVolumes,
  controllersDirectory,
  controllersKubeconfig,
  hasControllerManager,
} from './controller-manager.ts'
import { etcdAccessOf } from './etcd-store.ts'
import { objectLabels, selectorLabels } from './labels.ts'
import { objectNames } from './names.ts'
import { placement, variable } from './pod-settings.ts'

export const tenantApiPort = 8443
export const tenantDnsPort = 8053

const directories = {
  config: '/etc/tenant',
  data: '/var/lib/tenant',
  virtual: '/etc/tenant-virtual',
  temporary: '/tmp',
}

export function statefulSetManifest(deployment: TenantDeployment): Manifest {
  const { name, namespace, config } = deployment
  const { replicas, virtualKubeconfig } = config.controlPlane
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace, labels: objectLabels(deployment) },
    spec: {
      serviceName: name,
      ...(deployment.podManagement !== undefined && { podManagementPolicy: deployment.podManagement }),
      replicas,
      selector: { matchLabels: selectorLabels(deployment) },
      template: {
        metadata: { labels: { ...config.controlPlane.labels, ...selectorLabels(deployment) } },
        spec: podSpec(deployment),
      },
      ...(virtualKubeconfig === undefined && { volumeClaimTemplates: [dataClaim(deployment)] }),
    },
  }
}

function podSpec(deployment: TenantDeployment) {
  const { replicas } = deployment.config.controlPlane
  return {
    serviceAccountName: objectNames.account(deployment.name),
    ...placement(deployment.config.controlPlane),
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 30,
    securityContext: hardenedPod,
    ...(replicas > 1 && { topologySpreadConstraints: [acrossNodes(deployment)] }),
    containers: [container(deployment), ...sidecars(deployment)],
    volumes: volumes(deployment),
  }
}

/** If there is a node for each. */
function acrossNodes(deployment: TenantDeployment) {
  return {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: selectorLabels(deployment) },
  }
}

function sidecars({ config }: TenantDeployment) {
  const { controllerManager: manager, replicas } = config.controlPlane
  const isManaged = hasControllerManager(config) && manager !== undefined
  return isManaged ? [controllerManagerContainer(manager, replicas > 1)] : []
}

function container(deployment: TenantDeployment) {
  const { name, namespace, image, issuerKey, config } = deployment
  const { virtualKubeconfig } = config.controlPlane
  const hasDns = config.sync.toHost.pods.enabled
  const etcd = etcdAccessOf(deployment)
  return {
    name: 'tenant',
    image,
    command: ['tenant', 'run'],
    args: [
      `--name=${name}`,
      `--namespace=${namespace}`,
      `--file=${directories.config}/tenant.yaml`,
      `--data-dir=${directories.data}`,
      ...(virtualKubeconfig
        ? [`--virtual-kubeconfig=${directories.virtual}/${virtualKubeconfig.key}`]
        : ['--host=0.0.0.0', `--port=${tenantApiPort}`]),
      ...(etcd === undefined ? [] : [`--store=${etcd.store}`]),
      ...(hasControllerManager(config) ? [`--controllers-kubeconfig=${controllersKubeconfig}`] : []),
      ...(hasDns ? ['--dns-host=0.0.0.0', `--dns-port=${tenantDnsPort}`] : []),
    ],
    env: [
      ...config.controlPlane.env.map(variable),
      ...(virtualKubeconfig === undefined ? shutdownDelayOf(config.controlPlane.replicas) : []),
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      ...(issuerKey === undefined ? [] : [{ name: 'TENANT_LICENSE_ISSUER', value: issuerKey }]),
    ],
    ports: [...(virtualKubeconfig === undefined ? servingPorts : []), ...(hasDns ? dnsPorts : [])],
    ...(virtualKubeconfig === undefined && serverProbes),
    resources: config.controlPlane.resources,
    securityContext: hardenedContainer,
    volumeMounts: [
      { name: 'config', mountPath: directories.config, readOnly: true },
      { name: 'data', mountPath: directories.data },
      { name: 'temporary', mountPath: directories.temporary },
      ...(hasControllerManager(config) ? [{ name: 'controllers', mountPath: controllersDirectory }] : []),
      ...(virtualKubeconfig ? [{ name: 'virtual', mountPath: directories.virtual, readOnly: true }] : []),
      ...(etcd?.mounts ?? []),
    ],
  }
}

const servingPorts = [{ name: 'https', containerPort: tenantApiPort }]

const dnsPorts = [
  { name: 'dns', containerPort: tenantDnsPort, protocol: 'UDP' },
  { name: 'dns-tcp', containerPort: tenantDnsPort, protocol: 'TCP' },
]

function volumes(deployment: TenantDeployment) {
  const { name, config } = deployment
  const { virtualKubeconfig } = config.controlPlane
  return [
    { name: 'config', secret: { secretName: objectNames.config(name) } },
    { name: 'temporary', emptyDir: {} },
    ...(hasControllerManager(config) ? controllerManagerVolumes : []),
    ...(virtualKubeconfig
      ? [
          { name: 'data', emptyDir: {} },
          { name: 'virtual', secret: { secretName: virtualKubeconfig.secretName } },
        ]
      : []),
    ...(etcdAccessOf(deployment)?.volumes ?? []),
  ]
}

function dataClaim(deployment: TenantDeployment) {
  const { size, className } = deployment.config.controlPlane.storage
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', labels: selectorLabels(deployment) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: size } },
      ...(className !== undefined && { storageClassName: className }),
    },
  }
}
