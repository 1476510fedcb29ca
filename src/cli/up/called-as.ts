import { basename, relative } from 'node:path'

/** The command by which the user can call this program again: it may not be installed as `tenant`. */
export function calledAs(script = 'tenant', directory = process.cwd()): string {
  if (basename(script) !== 'main.js') return 'tenant'
  const nearer = relative(directory, script)
  return `node ${shellQuoted(nearer.startsWith('..') ? script : nearer)}`
}

/** A word for a shell. */
export function shellQuoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
