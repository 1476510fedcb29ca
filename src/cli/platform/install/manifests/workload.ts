import { hardenedContainer, hardenedPod, serverProbes } from '../../../host/hardened-pod.ts'
import type { Manifest } from '../../../host/manifest.ts'
import { shutdownDelayOf } from '../../../shutdown-delay.ts'
import { platformName } from '../names.ts'
import { isEmbedded, type PlatformSettings } from '../settings.ts'
import { dataDirectory, temporaryDirectory } from './directories.ts'
import { platformMetadata, platformPodLabels } from './labels.ts'
import { platformPort } from './ports.ts'
import { secretVolumes } from './secret-volumes.ts'
import { serveArguments } from './serve-arguments.ts'
import { storeVariables } from './store.ts'

const adminKeyAnnotation = 'tenant.internal/admin-key'
/** For replicas on etcd, which only store a key, a certificate and their audit log there. */
const replicaDataSize = '1Gi'

/** An embedded store has one server and a volume; on etcd there are replicas that need none. */
export function platformWorkload(settings: PlatformSettings): Manifest {
  return isEmbedded(settings) ? statefulSet(settings) : replicas(settings)
}

function statefulSet(settings: PlatformSettings): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: platformMetadata(settings.namespace),
    spec: {
      serviceName: platformName,
      replicas: 1,
      selector: { matchLabels: platformPodLabels },
      template: podTemplate(settings, []),
      volumeClaimTemplates: [dataClaim(settings)],
    },
  }
}

function replicas(settings: PlatformSettings): Manifest {
  const data = { name: 'data', emptyDir: { sizeLimit: replicaDataSize } }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: platformMetadata(settings.namespace),
    spec: {
      replicas: settings.replicas,
      selector: { matchLabels: platformPodLabels },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: podTemplate(settings, [data]),
    },
  }
}

function podTemplate(settings: PlatformSettings, moreVolumes: readonly object[]) {
  const { adminKeyMark } = settings
  return {
    metadata: {
      labels: platformPodLabels,
      ...(adminKeyMark !== undefined && { annotations: { [adminKeyAnnotation]: adminKeyMark } }),
    },
    spec: podSpec(settings, moreVolumes),
  }
}

function podSpec(settings: PlatformSettings, moreVolumes: readonly object[]) {
  const { imagePullSecrets } = settings
  return {
    serviceAccountName: platformName,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 30,
    ...(imagePullSecrets.length > 0 && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    securityContext: { ...hardenedPod, fsGroupChangePolicy: 'OnRootMismatch' },
    ...(settings.replicas > 1 && { topologySpreadConstraints: [acrossNodes] }),
    containers: [container(settings)],
    volumes: [
      ...secretVolumes(settings).map(({ name, secretName }) => ({ name, secret: { secretName, defaultMode: 0o440 } })),
      { name: 'temporary', emptyDir: { sizeLimit: '100Mi' } },
      ...moreVolumes,
    ],
  }
}

const acrossNodes = {
  maxSkew: 1,
  topologyKey: 'kubernetes.io/hostname',
  whenUnsatisfiable: 'ScheduleAnyway',
  labelSelector: { matchLabels: platformPodLabels },
}

function container(settings: PlatformSettings) {
  const { requests, limits } = settings
  const env = [...storeVariables(settings), ...shutdownDelayOf(settings.replicas)]
  return {
    name: 'platform',
    image: settings.image,
    command: ['tenant', 'platform', 'serve'],
    args: serveArguments(settings),
    ...(env.length > 0 && { env }),
    ports: [{ name: 'https', containerPort: platformPort, protocol: 'TCP' }],
    ...serverProbes,
    resources: { requests, ...(Object.keys(limits).length > 0 && { limits }) },
    securityContext: hardenedContainer,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      ...secretVolumes(settings).map(({ name, directory }) => ({ name, mountPath: directory, readOnly: true })),
      { name: 'data', mountPath: dataDirectory },
      { name: 'temporary', mountPath: temporaryDirectory },
    ],
  }
}

function dataClaim({ storageSize, storageClass }: PlatformSettings) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', labels: platformPodLabels },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: storageSize } },
      ...(storageClass !== undefined && { storageClassName: storageClass }),
    },
  }
}
