/** What it says is shown to people, and it is another's word. */
const longestShown = 400

/** What `/livez?verbose` of a virtual cluster says of writes that it refuses; undefined: it takes them. */
export function troubleInHealth(text: string): string | undefined {
  const [, trouble] = /^\[!\]storage-writes trouble: (.+)$/m.exec(text) ?? []
  return trouble?.slice(0, longestShown)
}

/** Why a process that found no room did not start, by the last that it said. */
export function troubleInLog(text: string): string | undefined {
  const found = text.match(/the (?:disk|store)\b[^"\n]*? is full[^"\n]*/g)
  return found?.at(-1)?.slice(0, longestShown)
}
