import { basename, relative } from 'node:path'
import { shellQuoted } from '../output/shell-word.ts'

/** The command with which the user can run this program again: it may not be installed as `tenant`. */
export function calledAs(script = 'tenant', directory = process.cwd()): string {
  if (basename(script) !== 'main.js') return 'tenant'
  const nearer = relative(directory, script)
  return `node ${shellQuoted(nearer.startsWith('..') ? script : nearer)}`
}
