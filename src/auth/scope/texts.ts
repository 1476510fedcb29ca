/** Texts that a part of a grant is limited to. Undefined: any text, including the empty one. */
export type Texts = ReadonlySet<string> | undefined

/** Stands for all values in a scope. */
export const wildcard = '*'

/** An empty list, or one with a wildcard, limits nothing. Empty texts match nothing. */
export function textsOf(list: readonly string[] | undefined): Texts {
  if (list === undefined || list.length === 0 || list.includes(wildcard)) return undefined
  return namedTexts(list)
}

/** Exactly the texts in the list, even if there are none. */
export function namedTexts(list: readonly string[]): ReadonlySet<string> {
  return new Set(list.filter((each) => each !== ''))
}

/** One name, or all of them. */
export function textOrAny(text: string): Texts {
  return text === wildcard ? undefined : namedTexts([text])
}

export function allowsText(texts: Texts, text: string): boolean {
  return texts === undefined || texts.has(text)
}

/** Whether `outer` allows everything that `inner` allows. */
export function textsWithin(inner: Texts, outer: Texts): boolean {
  if (outer === undefined) return true
  if (inner === undefined) return false
  for (const each of inner) if (!outer.has(each)) return false
  return true
}
