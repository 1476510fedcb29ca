import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/from '(\.[^']+)'|import\('(\.[^']+)'\)/g)].map((match) =>
    resolve(dirname(file), match[1] ?? match[2] ?? ''),
  )
}

function reachableFrom(files: readonly string[]): ReadonlySet<string> {
  const reached = new Set(files)
  for (const file of reached) for (const next of importsOf(file)) reached.add(next)
  return reached
}

it('the checker and all that drives it share no code with what they judge', () => {
  const own = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(import.meta.dirname, file))
  const reached = [...reachableFrom(own)].map((file) => relative(root, file))
  expect(reached).toContain('tests/support/etcd.ts')
  expect(reached.filter((file) => !file.startsWith('tests/'))).toEqual([])
})
