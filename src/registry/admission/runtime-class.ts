import { addedTolerations } from '../../api/core/nodes/added-tolerations.ts'
import type { Pod, Toleration } from '../../api/types/core-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import type { Admission } from './contract.ts'
import { podForbidden, podPlugin, withSpec } from './pods.ts'

interface RuntimeClass {
  readonly overhead?: { readonly podFixed?: Readonly<Record<string, string | number>> }
  readonly scheduling?: {
    readonly nodeSelector?: Readonly<Record<string, string>>
    readonly tolerations?: readonly Toleration[]
  }
}

/** A new pod gets the overhead and the scheduling constraints of its RuntimeClass. */
export const runtimeClassPlugin = podPlugin({
  name: 'RuntimeClass',
  mutate: (pod, admission, old) => {
    const found = old === undefined ? classOf(pod, admission) : undefined
    return found === undefined ? pod : withScheduling(withOverhead(pod, found), found)
  },
  inspect: (pod, admission, old) => {
    if (old !== undefined || pod.spec.overhead === undefined) return
    if (classOf(pod, admission)?.overhead?.podFixed !== undefined) return
    throw podForbidden(pod, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead')
  },
})

function classOf(pod: Pod, { engine }: Admission): RuntimeClass | undefined {
  const { runtimeClassName: name } = pod.spec
  const classes = engine.find('node.k8s.io', 'RuntimeClass')
  if (name === undefined || classes === undefined) return undefined
  const found = classes.cache.get({ namespace: '', name })
  if (found === undefined) throw podForbidden(pod, `pod rejected: RuntimeClass "${name}" not found`)
  return found.object as RuntimeClass
}

function withOverhead(pod: Pod, { overhead }: RuntimeClass): Pod {
  if (overhead?.podFixed === undefined) return pod
  if (pod.spec.overhead !== undefined && !deepEqual(pod.spec.overhead, overhead.podFixed)) {
    throw podForbidden(pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
  }
  return withSpec(pod, { overhead: overhead.podFixed })
}

function withScheduling(pod: Pod, { scheduling }: RuntimeClass): Pod {
  if (scheduling === undefined) return pod
  const { nodeSelector, tolerations = [] } = scheduling
  const own = pod.spec.tolerations ?? []
  const added = addedTolerations(own, tolerations)
  return withSpec(pod, {
    ...(nodeSelector === undefined ? {} : { nodeSelector: mergedSelector(pod, nodeSelector) }),
    ...(added.length === 0 ? {} : { tolerations: [...own, ...added] }),
  })
}

function mergedSelector(pod: Pod, selector: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const own = pod.spec.nodeSelector ?? {}
  for (const [key, value] of Object.entries(selector)) {
    if (own[key] === undefined || own[key] === value) continue
    const wanted = `runtimeClass.scheduling.nodeSelector[${key}] = ${value}`
    throw podForbidden(pod, `conflict: ${wanted}; pod.spec.nodeSelector[${key}] = ${own[key]}`)
  }
  return { ...own, ...selector }
}
