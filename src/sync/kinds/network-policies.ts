import type { KubeObject } from '../../api/object.ts'
import type { LabelSelector } from '../../api/types/meta-v1.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { HostNames, ObjectFields, SyncKind } from '../contract.ts'
import { hostSelector, type SelectedNamespaces } from '../names/host-labels.ts'
import { genericSync } from './generic.ts'
import { checkedObjectsIn } from './lists.ts'

const namespaceName = 'kubernetes.io/metadata.name'

/**
 * Limits a policy to the tenant's own Pods. Otherwise one that selects all Pods would apply to the Pods of every tenant
 * in a shared namespace.
 */
export const networkPoliciesSync: SyncKind = {
  ...genericSync('networkPolicies', 'networking.k8s.io', 'networkpolicies'),
  leavesOut: ({ spec }, { names }) =>
    names.multiNamespace || peersIn(spec).every((peer) => chosenBy(peer) !== 'by labels')
      ? undefined
      : 'it selects namespaces by their labels, and all of them are one on the host',
  toHost: ({ spec, metadata }, { names }) => ({
    spec: isJsonObject(spec) ? narrowed(spec, metadata.namespace ?? '', names) : spec,
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
    podSelector: selecting(spec.podSelector, [namespace], names),
    ...(spec.ingress !== undefined && { ingress: rules(spec.ingress, 'from') }),
    ...(spec.egress !== undefined && { egress: rules(spec.egress, 'to') }),
  }
}

/** If each namespace has its own on the host, a peer in other namespaces must also select those. */
function narrowedPeer(peer: ObjectFields, namespace: string, names: HostNames): ObjectFields {
  const { namespaceSelector, podSelector, ipBlock, ...others } = peer
  const isBlock = isJsonObject(ipBlock)
  const rest = { ...others, ...(isBlock && { ipBlock }) }
  // A host refuses an ipBlock with selectors. The selectors are narrowed anyway.
  if (isBlock && podSelector === undefined && namespaceSelector === undefined) return rest
  const chosen = chosenBy(peer)
  if (chosen === 'own') return { ...rest, podSelector: selecting(podSelector, [namespace], names) }
  const places = chosen === 'by labels' ? namespaceSelector : {}
  return {
    ...rest,
    ...(names.multiNamespace && { namespaceSelector: places }),
    podSelector: selecting(podSelector, chosen === 'by labels' ? 'all' : chosen, names),
  }
}

/** The namespaces that a peer selects, as far as this is known without reading them. */
function chosenBy({ namespaceSelector }: ObjectFields): 'own' | 'by labels' | SelectedNamespaces {
  if (!isJsonObject(namespaceSelector)) return 'own'
  const { matchLabels = {}, matchExpressions = [] } = namespaceSelector
  if (!isJsonObject(matchLabels) || !Array.isArray(matchExpressions) || matchExpressions.length > 0) return 'by labels'
  const { [namespaceName]: name, ...others } = matchLabels
  if (Object.keys(others).length > 0) return 'by labels'
  return typeof name === 'string' ? [name] : 'all'
}

function selecting(selector: unknown, namespaces: SelectedNamespaces, names: HostNames): LabelSelector {
  return hostSelector(asMembers(selector), namespaces, names)
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
