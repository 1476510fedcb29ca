import { unschedulableTaint } from '../../../api/core/nodes/lifecycle-taints.ts'
import type {
  Affinity,
  NodeAffinity,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  Pod,
  PodAffinityTerm,
  PodSpec,
  TopologySpreadConstraint,
} from '../../../api/types/core-v1.ts'
import type { LabelSelector, LabelSelectorRequirement } from '../../../api/types/meta-v1.ts'
import type { HostNames, ObjectFields, TextMap } from '../../contract.ts'
import { hostSelector, type SelectedNamespaces } from '../../names/host-labels.ts'

/** The Pod to place: its constraints concern Pods of its own namespace, with labels like its own. */
export interface PlacedPod {
  readonly namespace: string
  readonly labels: TextMap
  readonly names: HostNames
  /** Nodes that the tenant has cordoned. */
  readonly cordoned: readonly string[]
}

export function hostAffinity(spec: PodSpec, pod: PlacedPod): Affinity | undefined {
  const { nodeAffinity, podAffinity, podAntiAffinity } = spec.affinity ?? {}
  const fields = nodeFields(spec, pod.cordoned)
  if (spec.affinity === undefined && fields.length === 0) return undefined
  const placed = fields.length === 0 ? nodeAffinity : withNodeFields(nodeAffinity, fields)
  return {
    ...(placed && { nodeAffinity: placed }),
    ...(podAffinity && { podAffinity: hostTerms(podAffinity, pod) }),
    ...(podAntiAffinity && { podAntiAffinity: hostTerms(podAntiAffinity, pod) }),
  }
}

/**
 * A node that the tenant chose is requested from the scheduler, so taints and other checks still apply. A node that it
 * cordoned is cordoned only in the virtual cluster, so each Pod excludes it explicitly.
 */
function nodeFields(
  { nodeName, tolerations }: PodSpec,
  cordoned: readonly string[],
): readonly NodeSelectorRequirement[] {
  if (nodeName) return [{ key: 'metadata.name', operator: 'In', values: [nodeName] }]
  if (toleratesCordon(tolerations)) return []
  return cordoned.map((node) => ({ key: 'metadata.name', operator: 'NotIn', values: [node] }))
}

/**
 * A cordon keeps new Pods away only until it ends, and a Pod cannot be changed to match: a copy without a node that
 * still excludes one is created again.
 */
export function whyPlacedAnew({ spec: wanted }: ObjectFields, { spec }: Pod): string | undefined {
  if (spec.nodeName) return undefined
  const still = new Set(excludedNodes(wanted as PodSpec))
  const ended = excludedNodes(spec).find((node) => !still.has(node))
  return ended === undefined ? undefined : `the node ${ended} is not cordoned any more`
}

function excludedNodes({ affinity }: PodSpec): readonly string[] {
  const [term] = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const fields = term?.matchFields?.filter(({ key, operator }) => key === 'metadata.name' && operator === 'NotIn')
  return fields?.flatMap(({ values = [] }) => values) ?? []
}

/** As Pods of DaemonSets do. */
function toleratesCordon(tolerations: PodSpec['tolerations'] = []): boolean {
  return tolerations.some(
    ({ key = '', operator, value = '', effect = '' }) =>
      (effect === '' || effect === 'NoSchedule') &&
      (operator === 'Exists' ? key === '' || key === unschedulableTaint : key === unschedulableTaint && value === ''),
  )
}

function withNodeFields(affinity: NodeAffinity = {}, fields: readonly NodeSelectorRequirement[]): NodeAffinity {
  const terms = affinity.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}]
  const nodeSelectorTerms = terms.map(
    (term): NodeSelectorTerm => ({ ...term, matchFields: [...(term.matchFields ?? []), ...fields] }),
  )
  return { ...affinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } }
}

type PodTerms = NonNullable<Affinity['podAffinity']>

function hostTerms(terms: PodTerms, pod: PlacedPod): PodTerms {
  const { requiredDuringSchedulingIgnoredDuringExecution: required } = terms
  const { preferredDuringSchedulingIgnoredDuringExecution: preferred } = terms
  return {
    ...(required && { requiredDuringSchedulingIgnoredDuringExecution: required.map((term) => hostTerm(term, pod)) }),
    ...(preferred && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map((each) => ({
        ...each,
        podAffinityTerm: hostTerm(each.podAffinityTerm, pod),
      })),
    }),
  }
}

/** Namespaces selected by labels are kept, and the policy holds such a Pod back. */
function hostTerm(term: PodAffinityTerm, pod: PlacedPod): PodAffinityTerm {
  const { labelSelector, namespaces, namespaceSelector, matchLabelKeys, mismatchLabelKeys, topologyKey } = term
  const chosen = chosenNamespaces(term, pod)
  const keys = [...requiredKeys(matchLabelKeys, 'In', pod), ...requiredKeys(mismatchLabelKeys, 'NotIn', pod)]
  return {
    topologyKey,
    ...(labelSelector && { labelSelector: hostSelector(withRequired(labelSelector, keys), chosen, pod.names) }),
    ...(pod.names.multiNamespace && hostPlaces(chosen, namespaces !== undefined, pod)),
    ...(namespaceSelector && !isForAll(namespaceSelector) && { namespaceSelector }),
  }
}

function chosenNamespaces({ namespaces = [], namespaceSelector }: PodAffinityTerm, pod: PlacedPod): SelectedNamespaces {
  if (namespaceSelector !== undefined && isForAll(namespaceSelector)) return 'all'
  return namespaces.length === 0 ? [pod.namespace] : namespaces
}

function hostPlaces(
  chosen: SelectedNamespaces,
  isListed: boolean,
  { names }: PlacedPod,
): Pick<PodAffinityTerm, 'namespaces' | 'namespaceSelector'> {
  if (chosen === 'all') return { namespaceSelector: {} }
  return isListed ? { namespaces: chosen.flatMap((namespace) => names.namespaceOf(namespace) ?? []) } : {}
}

function isForAll({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0
}

export function hostSpread(constraint: TopologySpreadConstraint, pod: PlacedPod): TopologySpreadConstraint {
  const { labelSelector, matchLabelKeys, ...rest } = constraint
  if (labelSelector === undefined) return rest
  const keys = requiredKeys(matchLabelKeys, 'In', pod)
  return { ...rest, labelSelector: hostSelector(withRequired(labelSelector, keys), [pod.namespace], pod.names) }
}

/** Hosts before 1.27 do not know these keys, so they are replaced by equivalent requirements. */
function requiredKeys(
  keys: readonly string[] = [],
  operator: 'In' | 'NotIn',
  { labels }: PlacedPod,
): readonly LabelSelectorRequirement[] {
  return keys.flatMap((key) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined
    return value === undefined ? [] : [{ key, operator, values: [value] }]
  })
}

function withRequired(selector: LabelSelector, required: readonly LabelSelectorRequirement[]): LabelSelector {
  return required.length === 0
    ? selector
    : { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...required] }
}
