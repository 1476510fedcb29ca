import type { LabelSelector, LabelSelectorRequirement } from '../../api/types/meta-v1.ts'
import { markerPrefix } from '../../patches/path/reserved.ts'
import type { HostNames, TextMap } from '../contract.ts'
import { nameHash } from './host-name.ts'
import { managedBy, objectNamespace, tenantNamespace } from './markers.ts'

/**
 * The key of a Pod's label on the host. The tenant's selectors are written with these keys: unchanged labels would make
 * copies match selectors on the host, and other Pods there may have the same labels. Only the syncer can set them. A
 * key never changes, because running copies have it.
 */
export function selectedKey(key: string): string {
  return `${markerPrefix}l-${nameHash(key)}`
}

/** The labels by which a copy is selected on the host. */
export function selectedLabels(namespace: string, labels: TextMap = {}): TextMap {
  const entries = Object.entries(labels).map(([key, value]) => [selectedKey(key), value] as const)
  return { ...Object.fromEntries(entries), [objectNamespace]: namespace }
}

/** Namespaces of the virtual cluster. */
export type SelectedNamespaces = 'all' | readonly string[]

/** The same for selectors that are a map, as in Services. */
export function hostSelectorMap(selector: TextMap, namespace: string, names: HostNames): TextMap {
  return { ...selectedLabels(namespace, selector), ...ownPods(names) }
}

/** A selector that matches the same Pods on the host, and only those of the tenant. */
export function hostSelector(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  namespaces: SelectedNamespaces,
  names: HostNames,
): LabelSelector {
  const labels = Object.entries(matchLabels).map(([key, value]) => [selectedKey(key), value] as const)
  const expressions = [
    ...matchExpressions.map((each) => ({ ...each, key: selectedKey(each.key) })),
    ...(namespaces === 'all' ? [] : [inNamespaces(namespaces)]),
  ]
  return {
    matchLabels: { ...Object.fromEntries(labels), ...ownPods(names) },
    ...(expressions.length > 0 && { matchExpressions: expressions }),
  }
}

/** Both are needed, because tenants in other namespaces may have the same name. */
function ownPods({ tenant, tenantNamespace: place }: HostNames): TextMap {
  return { [managedBy]: tenant, [tenantNamespace]: place }
}

function inNamespaces(namespaces: readonly string[]): LabelSelectorRequirement {
  return { key: objectNamespace, operator: 'In', values: namespaces }
}
