/** Names that the user typed, separated by commas, spaces or newlines. */
export function readNames(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))]
}

export function printNames(names: readonly string[] | undefined): string {
  return names?.join(', ') ?? ''
}

/** A merge patch removes null members; an empty text means that no value is wanted. */
export function textOrNothing(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
