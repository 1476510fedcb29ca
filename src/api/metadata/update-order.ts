import type { Kind } from '../kind.ts'

/** The checks of an update: how the metadata changed, the new metadata, the new object, and how the object changed. */
export type UpdateCheck = 'metadata change' | 'metadata' | 'object' | 'change'

const letters: Readonly<Record<string, UpdateCheck>> = {
  C: 'metadata change',
  M: 'metadata',
  O: 'object',
  U: 'change',
}

/** Kubernetes runs some checks twice, and clients see each finding as often in `details.causes`. */
const usual = orderOf('CMOU')
const ofCustom = orderOf('COU')
const ofStatus = ofCustom
const orders: ReadonlyMap<string, readonly UpdateCheck[]> = new Map(
  Object.entries({
    CMU: ['ServiceAccount'],
    CUMO: ['ConfigMap', 'IngressClass', 'Secret', 'Service'],
    COU: [
      'CronJob',
      'CSIDriver',
      'CustomResourceDefinition',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Lease',
      'PodTemplate',
      'PriorityClass',
      'ResourceQuota',
      'StatefulSet',
    ],
    MOCU: [
      'CertificateSigningRequest',
      'CSIStorageCapacity',
      'Job',
      'Namespace',
      'Node',
      'RuntimeClass',
      'StorageClass',
    ],
    MOCOU: ['DaemonSet', 'NetworkPolicy', 'ReplicaSet', 'ReplicationController'],
    MOCMOU: ['PersistentVolumeClaim'],
    MOMOU: ['CSINode', 'PersistentVolume', 'VolumeAttachment'],
    MOMOCU: ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
    MOU: [
      'EndpointSlice',
      'FlowSchema',
      'LimitRange',
      'MutatingWebhookConfiguration',
      'PriorityLevelConfiguration',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
      'ValidatingWebhookConfiguration',
    ],
    OU: ['Event', 'PodDisruptionBudget'],
  }).flatMap(([order, kinds]) => kinds.map((kind) => [kind, orderOf(order)] as const)),
)

export function updateOrder({ kind, flavor }: Pick<Kind, 'kind' | 'flavor'>, subresource = ''): readonly UpdateCheck[] {
  if (subresource === 'status' && kind !== 'CertificateSigningRequest') return ofStatus
  return flavor === 'custom' ? ofCustom : (orders.get(kind) ?? usual)
}

/** The metadata of a new object is checked only if nothing else is wrong. */
export function checksMetadataLast({ kind, flavor }: Pick<Kind, 'kind' | 'flavor'>): boolean {
  return flavor === 'builtin' && kind === 'PodDisruptionBudget'
}

function orderOf(order: string): readonly UpdateCheck[] {
  return [...order].flatMap((letter) => letters[letter] ?? [])
}

/** They take finalizers without a domain. */
const lenient: ReadonlySet<string> = new Set([
  'APIService',
  'CustomResourceDefinition',
  'Event',
  'Lease',
  'MutatingWebhookConfiguration',
  'PodDisruptionBudget',
  'RuntimeClass',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
])

export function takesAnyFinalizer({ kind, flavor }: Pick<Kind, 'kind' | 'flavor'>): boolean {
  return flavor === 'custom' || lenient.has(kind)
}
