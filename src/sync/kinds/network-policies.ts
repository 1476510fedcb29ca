import type { KubeObject } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { HostNames, ObjectFields, SyncKind, TextMap } from '../contract.ts'
import { managedBy, objectNamespace } from '../names/markers.ts'
import { genericSync } from './generic.ts'
import { checkedObjectsIn } from './lists.ts'

const namespaceName = 'kubernetes.io/metadata.name'

/**
 * In a namespace that several tenants share, a policy selects only the tenant's own Pods, which must bear its labels.
 * Otherwise a policy that selects all Pods would apply to the Pods of every tenant.
 */
export const networkPoliciesSync: SyncKind = {
  ...genericSync('networkPolicies', 'networking.k8s.io', 'networkpolicies'),
  leavesOut: ({ spec }, { names }) =>
    names.multiNamespace || peersIn(spec).every((peer) => namespacesOf(peer) !== undefined)
      ? undefined
      : 'it selects namespaces by their labels, and all of them are one on the host',
  toHost: ({ spec, metadata }, { names }) => ({
    spec: names.multiNamespace || !isJsonObject(spec) ? spec : narrowed(spec, metadata.namespace ?? '', names),
  }),
}

function narrowed(spec: ObjectFields, namespace: string, names: HostNames): ObjectFields {
  const rules = (list: unknown, peers: 'from' | 'to') =>
    checkedObjectsIn<ObjectFields>(list)?.map((rule) =>
      rule[peers] === undefined
        ? rule
        : {
            ...rule,
            [peers]: checkedObjectsIn<ObjectFields>(rule[peers])?.map((peer) => narrowedPeer(peer, namespace, names)),
          },
    )
  return {
    ...spec,
    podSelector: selecting(spec.podSelector, podsIn(namespace, names)),
    ...(spec.ingress !== undefined && { ingress: rules(spec.ingress, 'from') }),
    ...(spec.egress !== undefined && { egress: rules(spec.egress, 'to') }),
  }
}

function narrowedPeer(peer: ObjectFields, namespace: string, names: HostNames): ObjectFields {
  if (peer.ipBlock !== undefined) return peer
  const { namespaceSelector: _, podSelector, ...rest } = peer
  const chosen = namespacesOf(peer)
  return { ...rest, podSelector: selecting(podSelector, podsIn(chosen === 'own' ? namespace : chosen?.name, names)) }
}

/** Which namespaces a peer means, as far as that can be said without looking at them. */
function namespacesOf({ namespaceSelector }: ObjectFields): 'own' | { readonly name?: string } | undefined {
  if (!isJsonObject(namespaceSelector)) return 'own'
  const { matchLabels = {}, matchExpressions = [] } = namespaceSelector
  if (!isJsonObject(matchLabels) || !Array.isArray(matchExpressions) || matchExpressions.length > 0) return undefined
  const { [namespaceName]: name, ...others } = matchLabels
  if (Object.keys(others).length > 0) return undefined
  return typeof name === 'string' ? { name } : {}
}

function podsIn(namespace: string | undefined, { tenant }: HostNames): TextMap {
  return { [managedBy]: tenant, ...(namespace !== undefined && { [objectNamespace]: namespace }) }
}

function selecting(selector: unknown, labels: TextMap): ObjectFields {
  const given = isJsonObject(selector) ? selector : {}
  return { ...given, matchLabels: { ...(isJsonObject(given.matchLabels) ? given.matchLabels : {}), ...labels } }
}

function peersIn(spec: KubeObject['spec']): readonly ObjectFields[] {
  if (!isJsonObject(spec)) return []
  return [
    ...(checkedObjectsIn<ObjectFields>(spec.ingress) ?? []),
    ...(checkedObjectsIn<ObjectFields>(spec.egress) ?? []),
  ].flatMap(({ from, to }) => [
    ...(checkedObjectsIn<ObjectFields>(from) ?? []),
    ...(checkedObjectsIn<ObjectFields>(to) ?? []),
  ])
}
