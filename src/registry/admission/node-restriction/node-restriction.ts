import { nodeOfUser } from '../../../api/core/nodes/kubelet.ts'
import { forbidden } from '../../../api/error.ts'
import { quoted } from '../../../api/human/go-syntax.ts'
import type { Kind } from '../../../api/kind.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { AdmissionPlugin } from '../contract.ts'
import type { KubeletWrite, RestrictedWrite } from './contract.ts'
import { restrictedClaim } from './restricted-claim.ts'
import { restrictedNode } from './restricted-node.ts'
import { restrictedCsiNode, restrictedLease } from './restricted-own.ts'
import { restrictedPod } from './restricted-pod.ts'

/** Kinds of which a kubelet may write only some objects, by `plural.group`. */
const restrictions: Readonly<Record<string, RestrictedWrite>> = {
  'pods.': restrictedPod,
  'nodes.': restrictedNode,
  'persistentvolumeclaims.': restrictedClaim,
  'leases.coordination.k8s.io': restrictedLease,
  'csinodes.storage.k8s.io': restrictedCsiNode,
}

/** A kubelet may change its own node and the pods on it, and nothing that would give it more rights. */
export const nodeRestriction: AdmissionPlugin = {
  name: 'NodeRestriction',
  seesStatus: true,
  handles: (kind) => restrictionOf(kind) !== undefined,
  mutate: (object, admission) => {
    const operation = admission.old === undefined ? 'CREATE' : 'UPDATE'
    requireAllowed({ ...admission, operation, object })
    return object
  },
  remove: (object, admission) => requireAllowed({ ...admission, operation: 'DELETE', object }),
}

function restrictionOf({ plural, group }: Kind): RestrictedWrite | undefined {
  return restrictions[`${plural}.${group}`]
}

/** A write that carries out an action, such as an eviction, was already judged as that action. */
function requireAllowed(write: Omit<KubeletWrite, 'node'>): void {
  const { kind, object, request } = write
  const node = request.isAdmitted === true ? undefined : nodeOfUser(request.user)
  if (node === undefined) return
  const refusal = refusalOf(node, write)
  if (refusal !== undefined) throw forbidden(kind, nameOf(object), refusal)
}

function refusalOf(node: string, write: Omit<KubeletWrite, 'node'>): string | undefined {
  if (node === '') return unknownNode(write.request.user.name)
  return restrictionOf(write.kind)?.({ ...write, node })
}

export function unknownNode(user: string): string {
  return `could not determine node from user ${quoted(user)}`
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? metadata.generateName ?? ''
}
