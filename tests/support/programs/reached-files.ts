import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

/**
 * All files that the TypeScript files of a folder import, directly or indirectly, and these files themselves, as paths
 * in the repository.
 */
export function filesReachedFrom(directory: string): readonly string[] {
  const own = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(directory, file))
  const reached = new Set(own)
  for (const file of reached) for (const next of importsOf(file)) reached.add(next)
  return [...reached].map((file) => relative(root, file))
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/from '(\.[^']+)'|import\('(\.[^']+)'\)/g)].map((match) =>
    resolve(dirname(file), match[1] ?? match[2] ?? ''),
  )
}
