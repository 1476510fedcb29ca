import type { Toleration } from '../../api/types/core-v1.ts'
import { podPlugin, withSpec } from './pods.ts'

const lostNodeSeconds = 300
const lostNodeTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** Unless pods specify otherwise, they stay on a lost node for a while. */
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
