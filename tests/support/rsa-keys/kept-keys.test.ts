import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { copyKeys } from './kept-keys.ts'

const directory = mkdtempSync(join(tmpdir(), 'tenant-kept-keys-'))
afterAll(() => rmSync(directory, { recursive: true }))

it('a run reuses the keys of the previous one, and adds its own', () => {
  const [kept, first, second] = [join(directory, 'kept'), join(directory, 'first'), join(directory, 'second')]
  mkdirSync(join(first, 'turns'), { recursive: true })
  writeFileSync(join(first, 'key-0'), 'made first')
  copyKeys(first, kept)
  copyKeys(kept, second)
  expect(readdirSync(second)).toEqual(['key-0'])
  writeFileSync(join(second, 'key-0'), 'another')
  writeFileSync(join(second, 'key-1'), 'made second')
  copyKeys(second, kept)
  expect(readdirSync(kept).map((name) => `${name}: ${readFileSync(join(kept, name), 'utf8')}`)).toEqual([
    'key-0: made first',
    'key-1: made second',
  ])
})
