import { parseApiVersion } from '../../api/object.ts'
import { labelSelectorText } from '../../api/selectors/label-selector-object.ts'
import type {
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
  ObjectMetricSource,
} from '../../api/types/autoscaling-v2.ts'
import type { ListQuestion } from '../../registry/aggregation/read-list.ts'

export const resourceMetricsGroup = 'metrics.k8s.io'
export const customMetricsGroup = 'custom.metrics.k8s.io'
export const externalMetricsGroup = 'external.metrics.k8s.io'

/** Whose metrics are requested. */
export interface AskedAbout {
  readonly namespace: string
  /** Selects the Pods of the target, as text. */
  readonly selector: string
  /** The plural of a kind; undefined: it is not served. */
  readonly pluralOf: (group: string, kind: string) => string | undefined
}

export function usageQuestion({ namespace, selector }: AskedAbout): ListQuestion {
  return {
    group: resourceMetricsGroup,
    versions: ['v1beta1'],
    segments: ['namespaces', namespace, 'pods'],
    query: { labelSelector: selector },
    told: `pods.${resourceMetricsGroup}`,
  }
}

/** The request for a named metric; undefined for resource metrics. */
export function metricQuestion(
  { pods, object, external }: MetricSpec,
  about: AskedAbout,
): ListQuestion | { readonly problem: string } | undefined {
  if (pods !== undefined) {
    return customQuestion(['pods', '*'], about.namespace, pods.metric, { labelSelector: about.selector })
  }
  if (object !== undefined) return objectQuestion(object, about)
  return external && externalQuestion(external.metric, about)
}

function objectQuestion(
  { describedObject, metric }: ObjectMetricSource,
  { namespace, pluralOf }: AskedAbout,
): ListQuestion | { readonly problem: string } {
  const { kind, name } = describedObject
  const group = groupOf(describedObject)
  if (group === '' && kind === 'Namespace') return customQuestion(['metrics'], name, metric, {})
  const plural = pluralOf(group, kind)
  if (plural === undefined) {
    return { problem: `unable to map kind ${kind} to resource: no matches for kind "${kind}" in group "${group}"` }
  }
  return customQuestion([group === '' ? plural : `${plural}.${group}`, name], namespace, metric, {})
}

function groupOf({ apiVersion = '' }: CrossVersionObjectReference): string {
  return parseApiVersion(apiVersion === '' ? 'v1' : apiVersion).group
}

function customQuestion(
  [resource = '', ...name]: readonly string[],
  namespace: string,
  metric: MetricIdentifier,
  query: Readonly<Record<string, string>>,
): ListQuestion {
  return {
    group: customMetricsGroup,
    versions: ['v1beta2', 'v1beta1'],
    segments: ['namespaces', namespace, resource, ...name, metric.name],
    query: { ...query, metricLabelSelector: labelSelectorText(metric.selector) },
    told: [`${resource}.${customMetricsGroup}`, ...name].join(' '),
  }
}

function externalQuestion({ name, selector }: MetricIdentifier, { namespace }: AskedAbout): ListQuestion {
  return {
    group: externalMetricsGroup,
    versions: ['v1beta1'],
    segments: ['namespaces', namespace, name],
    query: { labelSelector: labelSelectorText(selector) },
    told: `${name}.${externalMetricsGroup}`,
  }
}
