import type { UserInfo } from '../../../api/access.ts'
import { nodeOfUser } from '../../../api/core/nodes/kubelet.ts'
import { notFound } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { TokenRequest } from '../../../api/types/authentication-v1.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import type { Engine } from '../../context.ts'
import { unknownNode } from './node-restriction.ts'
import { isBoundTo, unexpectedSubresource } from './restricted-pod.ts'

/** An action that is requested by creating a subresource, such as an eviction. */
export interface NodeAction {
  readonly user: UserInfo
  /** A plural of the core group. */
  readonly parent: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly object: KubeObject
}

/**
 * Why the user, if it is a kubelet, may not perform the action; undefined: it may. Throws a 404 if the Pod does not
 * exist.
 */
export function refusalOfAction(action: NodeAction, engine: Engine): string | undefined {
  const node = nodeOfUser(action.user)
  if (node === undefined) return undefined
  if (node === '') return unknownNode(action.user.name)
  if (action.parent === 'serviceaccounts' && action.subresource === 'token') return refusalOfToken(node, action, engine)
  if (action.parent !== 'pods') return undefined
  if (action.subresource !== 'eviction') return unexpectedSubresource(action.subresource)
  if (isBoundTo(podNamed(action.name, action, engine), node)) return undefined
  return `node ${node} can only evict pods with spec.nodeName set to itself`
}

/** A kubelet gets tokens only for Pods bound to its node, each valid as long as the Pod exists. */
function refusalOfToken(node: string, action: NodeAction, engine: Engine): string | undefined {
  const { spec } = action.object as Partial<TokenRequest>
  const reference = spec?.boundObjectRef
  if (!reference?.name || reference.apiVersion !== 'v1' || reference.kind !== 'Pod')
    return 'node requested token not bound to a pod'
  if (!reference.uid) return 'node requested token with a pod binding without a uid'
  const pod = podNamed(reference.name, action, engine)
  if (pod.metadata.uid !== reference.uid)
    return `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`
  return isBoundTo(pod, node) ? undefined : 'node requested token bound to a pod scheduled on a different node'
}

function podNamed(name: string, { namespace }: NodeAction, engine: Engine): Pod {
  const found = engine.find('', 'Pod')?.cache.get({ namespace, name })
  if (found === undefined) throw notFound({ plural: 'pods', group: '' }, name)
  return found.object as Pod
}
