export const longestName = 253

/** Longer names are dropped. */
export function shortText(text: string): string {
  return text.length <= longestName ? text : ''
}
