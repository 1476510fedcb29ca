import type { KubeObject, ObjectMeta } from '../../api/object.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { debuggerNames } from '../../sync/kinds/pods/debugging.ts'

const apiVersion = 'metrics.k8s.io/v1beta1'

/** The usage of a Pod's copy under the names of the virtual cluster, without containers that the host added. */
export function shownPodMetrics(measured: KubeObject, pod: Pod): KubeObject {
  const names = containerNames(pod)
  const containers = Array.isArray(measured.containers) ? measured.containers : []
  return {
    apiVersion,
    kind: 'PodMetrics',
    metadata: { ...shownMetadata(pod, measured), namespace: pod.metadata.namespace ?? '' },
    ...measuredWhen(measured),
    containers: containers.flatMap((container: unknown) => {
      if (!isJsonObject(container) || typeof container.name !== 'string') return []
      const name = names.get(container.name)
      return name === undefined ? [] : [{ name, usage: container.usage }]
    }),
  }
}

/** Nodes have the same names on both sides. */
export function shownNodeMetrics(measured: KubeObject, node: KubeObject): KubeObject {
  return {
    apiVersion,
    kind: 'NodeMetrics',
    metadata: shownMetadata(node, measured),
    ...measuredWhen(measured),
    usage: measured.usage,
  }
}

export function metricsList(kind: 'PodMetricsList' | 'NodeMetricsList', items: readonly KubeObject[]): object {
  return { kind, apiVersion, metadata: {}, items }
}

/** Labels come from the virtual object, because clients select and sort by them. */
function shownMetadata({ metadata: { name = '', labels } }: KubeObject, measured: KubeObject): ObjectMeta {
  const { creationTimestamp } = measured.metadata
  return { name, ...(creationTimestamp && { creationTimestamp }), ...(labels && { labels }) }
}

function measuredWhen({ timestamp, window }: KubeObject): { readonly timestamp: unknown; readonly window: unknown } {
  return { timestamp, window }
}

/** By their names on the host. */
function containerNames(pod: Pod): ReadonlyMap<string, string> {
  const lasting = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])]
  return new Map([...lasting.map(({ name }) => [name, name] as const), ...debuggerNames(pod)])
}
