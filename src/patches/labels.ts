import { isJsonObject, setMember } from '../base/json/member.ts'
import type { Direction, LabelTranslator } from './contract.ts'
import { shapeOf } from './shape.ts'

export type TranslatedLabels =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }

type KeyTranslation = (key: string) => string | undefined

/** A label selector or a plain map of labels with its keys translated; the very same value if no key changes. */
export function translateLabels(value: unknown, translator: LabelTranslator, direction: Direction): TranslatedLabels {
  const translate: KeyTranslation = (key) => translator[direction](key)
  if (!isJsonObject(value)) return refused(value)
  if (!isSelector(value)) return translateMap(value, translate)
  const labels = translateMap(value.matchLabels ?? {}, translate)
  if (!labels.ok) return labels
  const expressions = translateExpressions(value.matchExpressions ?? [], translate)
  if (!expressions.ok) return expressions
  return { ok: true, value: withMembers(value, { matchLabels: labels.value, matchExpressions: expressions.value }) }
}

/** A plain map may well have a label called matchLabels, but its value is text. */
function isSelector(value: Record<string, unknown>): boolean {
  return isJsonObject(value.matchLabels) || Array.isArray(value.matchExpressions)
}

function translateMap(map: unknown, translate: KeyTranslation): TranslatedLabels {
  if (!isJsonObject(map)) return refused(map)
  const entries = Object.entries(map)
  const odd = entries.find(([, value]) => typeof value !== 'string')
  if (odd !== undefined) return refused(odd[1])
  if (entries.every(([key]) => translate(key) === key)) return { ok: true, value: map }
  const translated: Record<string, unknown> = {}
  for (const [key, value] of entries) {
    const after = translate(key)
    if (after !== undefined) setMember(translated, after, value)
  }
  return { ok: true, value: translated }
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

function withMembers(selector: Record<string, unknown>, members: Record<string, unknown>): Record<string, unknown> {
  const changed = Object.entries(members).filter(
    ([name, value]) => selector[name] !== undefined && selector[name] !== value,
  )
  return changed.length === 0 ? selector : { ...selector, ...Object.fromEntries(changed) }
}

function refused(value: unknown): TranslatedLabels {
  return { ok: false, message: `expected a label selector or a map of labels to text, found ${shapeOf(value)}` }
}
