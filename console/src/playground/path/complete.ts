import type { Suggestion } from '../../parts/suggestion.ts'
import { printStep, readSteps, type Step } from './steps.ts'
import { valueInShort, valuesAt } from './values.ts'

const mostSuggestions = 100
const mostItems = 5

/** How a path could continue in an object: completes a partial step, and offers what is below a complete path. */
export function pathCompletions(object: unknown, text: string): readonly Suggestion[] {
  const { steps, length } = readSteps(text)
  const isWhole = length === text.length
  const below = isWhole ? suggestionsBelow(object, steps, text) : []
  const beside = isWhole ? besideLast(object, steps, text) : finishing(object, steps, text, length)
  return [...beside, ...below].slice(0, mostSuggestions)
}

/** The last step may be incomplete: `metadata.anno`. */
function besideLast(object: unknown, steps: readonly Step[], text: string): readonly Suggestion[] {
  const last = steps.at(-1)
  if (last?.type !== 'member') return []
  const parent = steps.slice(0, -1)
  const start = lastStepStart(text)
  return fitting(suggestionsBelow(object, parent, text.slice(0, start)), last.name).filter(
    ({ value }) => value !== text,
  )
}

/** There is a bracket or a dot, and perhaps part of a name: `metadata.annotations["exam`. */
function finishing(object: unknown, steps: readonly Step[], text: string, length: number): readonly Suggestion[] {
  const begun = text.slice(length).replace(/^\.?\[?["']?/, '')
  return fitting(suggestionsBelow(object, steps, text.slice(0, length)), begun)
}

function lastStepStart(text: string): number {
  for (let start = text.length - 1; start > 0; start -= 1) {
    const { steps, length } = readSteps(text.slice(0, start))
    if (length === start && steps.length === readSteps(text).steps.length - 1) return start
  }
  return 0
}

function fitting(suggestions: readonly Suggestion[], begun: string): readonly Suggestion[] {
  const wanted = begun.toLowerCase()
  const starting = suggestions.filter(({ label = '' }) => label.toLowerCase().startsWith(wanted))
  const holding = suggestions.filter(
    ({ label = '' }) => label.toLowerCase().includes(wanted) && !label.toLowerCase().startsWith(wanted),
  )
  return [...starting, ...holding]
}

function suggestionsBelow(object: unknown, steps: readonly Step[], prefix: string): readonly Suggestion[] {
  const values = valuesAt(object, steps)
  return stepsBelow(values)
    .filter((next) => !isOutOfReach([...steps, next]))
    .map((next) => ({
      value: `${prefix}${printStep(next, prefix === '')}`,
      label: next.type === 'each' ? '*' : next.name,
      note: noteOf(values, next),
    }))
}

function stepsBelow(values: readonly unknown[]): readonly Step[] {
  const lists = values.filter(Array.isArray)
  const objects = values.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
  const names = new Set(objects.flatMap((each) => Object.keys(each ?? {})))
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const items = Array.from({ length: Math.min(longest, mostItems) }, (_, position) => String(position))
  const each: readonly Step[] = longest > 0 || names.size > 1 ? [{ type: 'each' }] : []
  const members = [...names, ...items].map((name): Step => ({ type: 'member', name }))
  return lists.length > 0 ? [...each, ...members] : [...members, ...each]
}

function noteOf(values: readonly unknown[], next: Step): string {
  const found = valuesAt(values, [{ type: 'each' }, next])
  if (next.type === 'each') return `each of ${found.length}`
  return found.length > 1 ? `${found.length} places` : valueInShort(found[0])
}

const identity: readonly string[] = ['apiVersion', 'kind']
const keptByOthers: readonly string[] = [
  ...['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp'],
  ...['deletionGracePeriodSeconds', 'managedFields', 'selfLink'],
]

/** Paths that no patch can change are not offered; if the user writes one anyway, the engine reports why. */
function isOutOfReach([first, second, third]: readonly Step[]): boolean {
  if (first?.type !== 'member') return false
  if (second === undefined) return identity.includes(first.name)
  if (first.name !== 'metadata' || second.type !== 'member') return false
  if (third === undefined) return keptByOthers.includes(second.name)
  return third.type === 'member' && third.name.startsWith('tenant.internal/')
}
