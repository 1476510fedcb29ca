import { basename, relative } from 'node:path'

/** How somebody who has called this program can call it again: not everybody has installed it. */
export function calledAs(script = 'tenant', directory = process.cwd()): string {
  if (basename(script) !== 'main.js') return 'tenant'
  const nearer = relative(directory, script)
  return `node ${quoted(nearer.startsWith('..') ? script : nearer)}`
}

/** A word for a shell. */
export function quoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
