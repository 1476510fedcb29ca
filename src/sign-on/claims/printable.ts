const longest = 200

/** Text from others, limited to what a log can show. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, longest)
}
