import { homedir } from 'node:os'

/** A word for a shell. */
export function shellQuoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** A path that a shell understands, without the home directory spelt out. */
export function shellPath(path: string, home = homedir()): string {
  if (home === '' || !path.startsWith(`${home}/`)) return shellQuoted(path)
  return `~/${shellQuoted(path.slice(home.length + 1))}`
}
