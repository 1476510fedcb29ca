import type { ControllerManagerConfig, EffectiveConfig } from '../../../api/tenant-config/types.ts'
import { hardenedContainer } from '../../host/hardened-pod.ts'

/** Where the tenant writes a kubeconfig for it. The directory contains nothing else. */
export const controllersDirectory = '/var/run/tenant-controllers'
export const controllersKubeconfig = `${controllersDirectory}/kubeconfig`

/** Where Kubernetes would mount the token of the tenant's account on the host. */
const accountTokenDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

/**
 * The controllers that the tenant leaves to it, by names that all versions know. The tenant runs the others itself, for
 * namespaces, nodes, volumes, quotas and garbage: they take into account that its nodes are the host's.
 */
const left: readonly string[] = [
  'deployment',
  'replicaset',
  'replicationcontroller',
  'statefulset',
  'daemonset',
  'job',
  'cronjob',
  'ttl-after-finished',
  'endpoint',
  'endpointslice',
  'endpointslicemirroring',
  'disruption',
  'horizontalpodautoscaling',
]

export function hasControllerManager({ controlPlane }: EffectiveConfig): boolean {
  return controlPlane.controllers === 'external' && controlPlane.controllerManager !== undefined
}

/**
 * Each of its controllers has a separate account in the virtual cluster. It serves nothing. Of several, one beside each
 * replica, only one acts.
 */
export function controllerManagerArgs(kubeconfig: string, isReplicated: boolean): readonly string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--controllers=${left.join(',')}`,
    '--use-service-account-credentials=true',
    `--leader-elect=${isReplicated}`,
    '--secure-port=0',
    '--kube-api-qps=100',
    '--kube-api-burst=200',
  ]
}

/** Runs beside the tenant, with access to the virtual cluster and none to the host. */
export function controllerManagerContainer({ image, resources }: ControllerManagerConfig, isReplicated: boolean) {
  return {
    name: 'controller-manager',
    image,
    command: ['kube-controller-manager'],
    args: controllerManagerArgs(controllersKubeconfig, isReplicated),
    resources,
    securityContext: hardenedContainer,
    volumeMounts: [
      { name: 'controllers', mountPath: controllersDirectory, readOnly: true },
      { name: 'no-account', mountPath: accountTokenDirectory, readOnly: true },
    ],
  }
}

export const controllerManagerVolumes = [
  { name: 'controllers', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
  { name: 'no-account', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
]
