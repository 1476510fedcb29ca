import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const built = fileURLToPath(new URL('../../dist', import.meta.url))

test('no file of the program has a character for which V8 would hold its text in two bytes each', () => {
  const files = ['cli', 'parts', 'expression'].flatMap((folder) =>
    readdirSync(join(built, folder))
      .filter((name) => name.endsWith('.js'))
      .map((name) => join(built, folder, name)),
  )
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => readFileSync(file).some((byte) => byte > 0x7f))).toEqual([])
})
