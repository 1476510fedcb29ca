import type { Step } from './steps.ts'

const mostValues = 200

/** The values at the steps, in all matching places. */
export function valuesAt(value: unknown, steps: readonly Step[]): readonly unknown[] {
  let values: readonly unknown[] = [value]
  for (const step of steps) values = values.flatMap((each) => into(each, step)).slice(0, mostValues)
  return values
}

function into(value: unknown, step: Step): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (step.type === 'each') return Object.values(value)
  return Object.hasOwn(value, step.name) ? [Object.getOwnPropertyDescriptor(value, step.name)?.value] : []
}

/** A few words that describe a value. */
export function valueInShort(value: unknown): string {
  if (Array.isArray(value)) return `list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'object'
  const text = JSON.stringify(value) ?? ''
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}
