export const longestName = 253

/** Names that are longer are no names. */
export function shortText(text: string): string {
  return text.length <= longestName ? text : ''
}
