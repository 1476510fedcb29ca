import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AuditFile, type AuditFileOptions } from './audit-file.ts'

let directory: string
const failures: unknown[] = []
const recoveries: number[] = []

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-audit-file-'))
  failures.length = 0
  recoveries.length = 0
})

afterEach(() => rm(directory, { recursive: true, force: true }))

const opened = (options: Partial<AuditFileOptions> = {}, name = 'audit.log') =>
  new AuditFile({
    file: join(directory, name),
    ...options,
    onFailure: (error) => failures.push(error),
    onRecovery: (lostLines) => recoveries.push(lostLines),
  })
const text = (name: string) => readFile(join(directory, name), 'utf8')

/** The file's directory is a file, until the test removes it. */
async function unwritable(options: Partial<AuditFileOptions> = {}): Promise<AuditFile> {
  await writeFile(join(directory, 'taken'), '')
  return opened(options, 'taken/audit.log')
}

describe('the audit file', () => {
  it('gets every line once and in order, readable only by its owner', async () => {
    const file = opened()
    for (let line = 0; line < 100; line++) file.add(`${line}\n`)
    await file.flush()
    file.add('last\n')
    await file.flush()
    expect(await text('audit.log')).toBe(`${Array.from({ length: 100 }, (_, line) => `${line}\n`).join('')}last\n`)
    expect((await stat(join(directory, 'audit.log'))).mode & 0o777).toBe(0o600)
  })

  it('is rotated when it is full, and the oldest file is deleted', async () => {
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

  it('continues after a restart, and counts existing bytes', async () => {
    await writeFile(join(directory, 'audit.log'), 'before 8\n')
    const file = opened({ maxBytes: 20 })
    file.add('short\n')
    await file.flush()
    expect(await text('audit.log')).toBe('before 8\nshort\n')
    file.add('longer 8\n')
    await file.flush()
    expect(await text('audit.log')).toBe('longer 8\n')
  })

  it('reports once that it cannot be written, and writes lines from meanwhile as soon as it can', async () => {
    const file = await unwritable()
    for (const line of ['first\n', 'second\n']) {
      file.add(line)
      await file.flush()
    }
    expect(failures).toHaveLength(1)
    expect(file.failure).toEqual({ error: failures[0] })
    await rm(join(directory, 'taken'))
    await file.flush()
    expect(await text('taken/audit.log')).toBe('first\nsecond\n')
    expect(recoveries).toEqual([0])
    expect(file.failure).toBeUndefined()
  })

  it('buffers a limited amount while it cannot be written, and counts lost lines', async () => {
    const file = await unwritable({ maxKeptBytes: 10 })
    file.add('1234\n')
    await file.flush()
    for (const line of ['5678\n', 'lost\n', 'lost\n']) file.add(line)
    await rm(join(directory, 'taken'))
    await file.flush()
    expect(await text('taken/audit.log')).toBe('1234\n5678\n')
    expect(recoveries).toEqual([2])
    expect(file.lostLines).toBe(2)
  })

  it('notifies requests that wait for a line when it is written, many lines at a time', async () => {
    const file = opened()
    await Promise.all(Array.from({ length: 100 }, (_, line) => file.write(`${line}\n`)))
    expect(await text('audit.log')).toBe(Array.from({ length: 100 }, (_, line) => `${line}\n`).join(''))
  })

  it('never writes a line whose request was refused', async () => {
    const file = await unwritable()
    file.add('kept\n')
    const refused = [file.write('refused\n'), file.write('refused too\n')]
    expect((await Promise.allSettled(refused)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(file.write('while it fails\n')).rejects.toBe(failures[0])
    await rm(join(directory, 'taken'))
    await file.flush()
    await file.write('accepted\n')
    expect(await text('taken/audit.log')).toBe('kept\naccepted\n')
  })
})
