/** Limits text from another program that is shown to people. */
const longestShown = 400

/** What `/livez?verbose` of a virtual cluster reports about refused writes; undefined: it accepts them. */
export function troubleInHealth(text: string): string | undefined {
  const [, trouble] = /^\[!\]storage-writes trouble: (.+)$/m.exec(text) ?? []
  return trouble?.slice(0, longestShown)
}

/** Why a process without room did not start, from its last messages. */
export function troubleInLog(text: string): string | undefined {
  const found = text.match(/the (?:disk|store)\b[^"\n]*? is full[^"\n]*/g)
  return found?.at(-1)?.slice(0, longestShown)
}
