import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../src/cli', import.meta.url))
/** The folders through which all output to a terminal passes. */
const doors = ['output/', 'terminal/']

test('all commands write to a terminal through one module', () => {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  const past = files
    .filter((file) => !doors.some((door) => relative(root, file).startsWith(door)))
    .filter((file) => /\bstd(out|err)\.write\(|\bconsole\.(log|error|warn)\(/.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(150)
  expect(past.map((file) => relative(root, file))).toEqual([])
})
