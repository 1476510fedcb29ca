import type { Taint, Toleration } from '../../api/types/core-v1.ts'

/** Effects of taints that keep new Pods away. */
export const keepingOut: readonly string[] = ['NoSchedule', 'NoExecute']

/** The first taint with one of the effects that none of the tolerations tolerates. */
export function untoleratedTaint(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  effects: readonly string[],
): Taint | undefined {
  return taints.find(
    (taint) => effects.includes(taint.effect) && !tolerations.some((toleration) => tolerates(toleration, taint)),
  )
}

/** What is left out of a toleration fits every taint. */
export function tolerates(
  { key = '', operator = 'Equal', value = '', effect = '' }: Toleration,
  taint: Taint,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''))
}
