import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isStoreFile } from './file-check.ts'

const magic = Buffer.from([0xde, 0xc0, 0xef, 0xbe])

function page(size: number, hasMagic: boolean): Buffer {
  const bytes = Buffer.alloc(size)
  if (hasMagic) magic.copy(bytes, 24)
  return bytes
}

test.each([
  ['an empty file', Buffer.alloc(0), true],
  ['two good head pages', Buffer.concat([page(4_096, true), page(4_096, true)]), true],
  ['a damaged first page', Buffer.concat([page(4_096, false), page(4_096, true)]), true],
  ['a damaged first page of 16 KiB', Buffer.concat([page(16_384, false), page(16_384, true)]), true],
  ['no head page', Buffer.alloc(100_000), false],
  ['a few bytes', Buffer.from('hello'), false],
])('%s: a store is %s', (_, content, expected) => {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-file-check-'))
  try {
    writeFileSync(join(directory, 'data.mdb'), content)
    expect(isStoreFile(directory)).toBe(expected)
  } finally {
    rmSync(directory, { recursive: true })
  }
})
