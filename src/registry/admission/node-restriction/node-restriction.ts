import { nodeOfUser } from '../../../api/core/node-user.ts'
import { forbidden } from '../../../api/error.ts'
import { quoted } from '../../../api/human/go-syntax.ts'
import type { Kind } from '../../../api/kind.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Admission, AdmissionPlugin } from '../contract.ts'
import type { KubeletWrite, RestrictedWrite } from './contract.ts'
import { restrictedClaim } from './restricted-claim.ts'
import { restrictedNode } from './restricted-node.ts'
import { restrictedCsiNode, restrictedLease } from './restricted-own.ts'
import { restrictedPod } from './restricted-pod.ts'

/** What kubelets may write of the kinds for which that depends on the object, by `plural.group`. */
const restrictions: Readonly<Record<string, RestrictedWrite>> = {
  'pods.': restrictedPod,
  'nodes.': restrictedNode,
  'persistentvolumeclaims.': restrictedClaim,
  'leases.coordination.k8s.io': restrictedLease,
  'csinodes.storage.k8s.io': restrictedCsiNode,
}

/** A kubelet changes its own node and what runs there, and nothing that would bring it more than that. */
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

/** What is done to an object by creating something below it was looked at as that. */
function requireAllowed(write: Omit<KubeletWrite, 'node'> & Pick<Admission, 'request'>): void {
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
