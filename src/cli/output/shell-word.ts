import { homedir } from 'node:os'

/** Quotes a word for a shell. */
export function shellQuoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** A path for a shell, with the home directory abbreviated. */
export function shellPath(path: string, home = homedir()): string {
  if (home === '' || !path.startsWith(`${home}/`)) return shellQuoted(path)
  return `~/${shellQuoted(path.slice(home.length + 1))}`
}
