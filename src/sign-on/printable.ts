const longest = 200

/** What others have said, as far as a log can show it. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, longest)
}
