import type { Toleration } from '../../api/types/core-v1.ts'
import { podPlugin, withSpec } from './pods.ts'

const lostNodeSeconds = 300
const lostNodeTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** Pods stay a while on a node that is lost, unless they say otherwise. */
export const defaultTolerations = podPlugin({
  name: 'DefaultTolerationSeconds',
  mutate: (pod) => {
    const tolerations = pod.spec.tolerations ?? []
    const missing = lostNodeTaints.filter((taint) => !tolerations.some((each) => toleratesEviction(each, taint)))
    return missing.length === 0 ? pod : withSpec(pod, { tolerations: [...tolerations, ...missing.map(forAWhile)] })
  },
})

function forAWhile(key: string): Toleration {
  return { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: lostNodeSeconds }
}

function toleratesEviction({ key, effect }: Toleration, taint: string): boolean {
  return (key === undefined || key === taint) && (effect === undefined || effect === 'NoExecute')
}
