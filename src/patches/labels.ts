import { deepEqual } from '../base/equal.ts'
import { isJsonObject, setMember } from '../base/json/member.ts'
import type { Direction, LabelTranslator } from './contract.ts'
import { describedShape } from './shape.ts'

export type TranslatedLabels =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }

type KeyTranslation = (key: string) => string | undefined

/**
 * A label selector or a plain map of labels with its keys translated, and narrowed to the tenant on the host; the same
 * value object if nothing changes. An empty value can only be a selector, because an empty map would have no meaning.
 */
export function translateLabels(value: unknown, translator: LabelTranslator, direction: Direction): TranslatedLabels {
  if (!isJsonObject(value)) return refused(value)
  const isEmpty = Object.keys(value).length === 0 && Object.keys(translator.narrowing).length > 0
  if (isEmpty && direction === 'toHost') return { ok: true, value: { matchLabels: translator.narrowing } }
  return isSelector(value)
    ? translateSelector(value, translator, direction)
    : translateMap(value, translator, direction)
}

/** A plain map may have a label named matchLabels, but its value is text. */
function isSelector(value: Record<string, unknown>): boolean {
  return isJsonObject(value.matchLabels) || Array.isArray(value.matchExpressions)
}

function translateSelector(
  selector: Record<string, unknown>,
  translator: LabelTranslator,
  direction: Direction,
): TranslatedLabels {
  const labels = translateMap(selector.matchLabels ?? {}, translator, direction)
  if (!labels.ok) return labels
  const expressions = translateExpressions(selector.matchExpressions ?? [], (key) => translator[direction](key))
  if (!expressions.ok) return expressions
  return { ok: true, value: withMembers(selector, { matchLabels: labels.value, matchExpressions: expressions.value }) }
}

function translateMap(map: unknown, translator: LabelTranslator, direction: Direction): TranslatedLabels {
  if (!isJsonObject(map)) return refused(map)
  const entries = Object.entries(map)
  const odd = entries.find(([, value]) => typeof value !== 'string')
  if (odd !== undefined) return refused(odd[1])
  const isOurs = (key: string) => Object.hasOwn(translator.narrowing, key)
  const translated: Record<string, unknown> = {}
  for (const [key, value] of entries) {
    const after = isOurs(key) ? undefined : translator[direction](key)
    if (after !== undefined) setMember(translated, after, value)
  }
  if (direction === 'toHost') Object.assign(translated, translator.narrowing)
  return { ok: true, value: deepEqual(translated, map) ? map : translated }
}

function translateExpressions(expressions: unknown, translate: KeyTranslation): TranslatedLabels {
  if (!Array.isArray(expressions)) return refused(expressions)
  const translated: unknown[] = []
  for (const expression of expressions) {
    if (!isJsonObject(expression) || typeof expression.key !== 'string') return refused(expression)
    const key = translate(expression.key)
    if (key !== undefined) translated.push(key === expression.key ? expression : { ...expression, key })
  }
  const isSame = translated.length === expressions.length && translated.every((each, at) => each === expressions[at])
  return { ok: true, value: isSame ? expressions : translated }
}

/** Members that a selector does not have are added only if they are not empty. */
function withMembers(selector: Record<string, unknown>, members: Record<string, unknown>): Record<string, unknown> {
  const changed = Object.entries(members).filter(
    ([name, value]) => selector[name] !== value && (selector[name] !== undefined || !deepEqual(value, empty[name])),
  )
  return changed.length === 0 ? selector : { ...selector, ...Object.fromEntries(changed) }
}

const empty: Readonly<Record<string, unknown>> = { matchLabels: {}, matchExpressions: [] }

function refused(value: unknown): TranslatedLabels {
  return { ok: false, message: `expected a label selector or a map of labels to text, found ${describedShape(value)}` }
}
