import type { Taint, Toleration } from '../../api/types/core-v1.ts'

/** Effects of taints that keep new Pods away. */
export const blockingEffects: readonly string[] = ['NoSchedule', 'NoExecute']

export type TaintCheck = (taint: Taint) => boolean

/** The first taint with one of the effects that is not tolerated. */
export function untoleratedTaint(
  taints: readonly Taint[],
  isTolerated: TaintCheck,
  effects: readonly string[],
): Taint | undefined {
  return taints.find((taint) => effects.includes(taint.effect) && !isTolerated(taint))
}

/**
 * Whether one of the tolerations matches a taint. Created once, it looks up a few texts per taint, however many
 * tolerations there are.
 */
export function toleratedBy(tolerations: readonly Toleration[]): TaintCheck {
  const texts = new Set(tolerations.map(tolerationText))
  return ({ key, value = '', effect }) =>
    ['', effect].some(
      (each) =>
        texts.has(existsText('', each)) || texts.has(existsText(key, each)) || texts.has(equalText(key, value, each)),
    )
}

function tolerationText({ key = '', operator = 'Equal', value = '', effect = '' }: Toleration): string {
  return operator === 'Exists' ? existsText(key, effect) : equalText(key, value, effect)
}

function existsText(key: string, effect: string): string {
  return `${effect}\n${key}`
}

function equalText(key: string, value: string, effect: string): string {
  return `${effect}\n${key}\n${value}`
}

/** An omitted field of a toleration matches every taint. */
export function tolerates(
  { key = '', operator = 'Equal', value = '', effect = '' }: Toleration,
  taint: Taint,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false
  if (key !== '' && key !== taint.key) return false
  return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''))
}
