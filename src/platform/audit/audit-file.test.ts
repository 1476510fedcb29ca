import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AuditFile } from './audit-file.ts'

let directory: string
const failures: unknown[] = []

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-audit-file-'))
  failures.length = 0
})

afterEach(() => rm(directory, { recursive: true, force: true }))

const opened = (options: { readonly maxBytes?: number; readonly maxFiles?: number } = {}, name = 'audit.log') =>
  new AuditFile({ file: join(directory, name), ...options, onError: (error) => failures.push(error) })
const text = (name: string) => readFile(join(directory, name), 'utf8')

describe('the audit file', () => {
  it('gets every line once and in order, readable by its owner alone', async () => {
    const file = opened()
    for (let line = 0; line < 100; line++) file.add(`${line}\n`)
    await file.flush()
    file.add('last\n')
    await file.flush()
    expect(await text('audit.log')).toBe(`${Array.from({ length: 100 }, (_, line) => `${line}\n`).join('')}last\n`)
    expect((await stat(join(directory, 'audit.log'))).mode & 0o777).toBe(0o600)
  })

  it('is set aside when it is full, and the oldest goes', async () => {
    const file = opened({ maxBytes: 10, maxFiles: 2 })
    for (const line of ['first 67\n', 'second 8\n', 'third 78\n', 'fourth 8\n']) {
      file.add(line)
      await file.flush()
    }
    expect((await readdir(directory)).sort()).toEqual(['audit.log', 'audit.log.1', 'audit.log.2'])
    expect(await text('audit.log')).toBe('fourth 8\n')
    expect(await text('audit.log.1')).toBe('third 78\n')
    expect(await text('audit.log.2')).toBe('second 8\n')
  })

  it('goes on where it was after a restart, and counts what was there', async () => {
    await writeFile(join(directory, 'audit.log'), 'before 8\n')
    const file = opened({ maxBytes: 20 })
    file.add('short\n')
    await file.flush()
    expect(await text('audit.log')).toBe('before 8\nshort\n')
    file.add('longer 8\n')
    await file.flush()
    expect(await text('audit.log')).toBe('longer 8\n')
  })

  it('reports what cannot be written, and goes on afterwards', async () => {
    await writeFile(join(directory, 'taken'), '')
    const file = opened({}, 'taken/audit.log')
    file.add('lost\n')
    await file.flush()
    expect(failures).toHaveLength(1)
    await rm(join(directory, 'taken'))
    file.add('kept\n')
    await file.flush()
    expect(await text('taken/audit.log')).toBe('kept\n')
  })
})
