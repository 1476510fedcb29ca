import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AuditFile, type AuditFileOptions } from '../audit-file.ts'
import { AuditChain } from './audit-chain.ts'
import { isProblem } from './finding.ts'
import { verifyAuditLog } from './verify-log.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-audit-chain-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const log = () => join(directory, 'audit.log')
const line = (number: number) => `${JSON.stringify({ time: 'now', number, text: 'ä' })}\n`

function opened(options: Partial<AuditFileOptions> = {}): AuditFile {
  const onFailure = (error: unknown) => {
    throw error
  }
  return new AuditFile({ file: log(), chain: new AuditChain(), ...options, onFailure, onRecovery: () => {} })
}

/** Simulates a server that runs, writes and stops. */
async function written(from: number, to: number, options: Partial<AuditFileOptions> = {}): Promise<void> {
  const file = opened(options)
  for (let number = from; number <= to; number++) {
    file.add(line(number))
    if (number % 2 === 0) await file.flush()
  }
  await file.flush()
}

const lines = async () => (await readFile(log(), 'utf8')).split(/(?<=\n)/)
const store = (changed: readonly string[]) => writeFile(log(), changed.join(''))

async function told(wanted?: { sequence: number; hash: string }) {
  const { findings } = await verifyAuditLog(log(), wanted)
  return findings.map(({ kind, place }) => `${kind} ${place.line}`)
}

describe('an audit log with a chain of hashes', () => {
  it('is complete, over restarts and rotated files', async () => {
    await written(1, 10, { maxBytes: 400, maxFiles: 20 })
    await written(11, 20, { maxBytes: 400, maxFiles: 20 })
    const { files, lines: count, first, head, findings } = await verifyAuditLog(log())
    expect({ count, first, last: head?.sequence, findings }).toEqual({ count: 20, first: 1, last: 20, findings: [] })
    expect(files.length).toBeGreaterThan(3)
  })

  it('continues in a new file when it was restarted right after a rotation', async () => {
    await written(1, 4)
    await writeFile(`${log()}.1`, await readFile(log()))
    await rm(log())
    await written(5, 6)
    expect(await verifyAuditLog(log())).toMatchObject({ lines: 6, findings: [] })
  })

  it('reports where it begins when older files are gone', async () => {
    await written(1, 20, { maxBytes: 400, maxFiles: 1 })
    const { first, findings } = await verifyAuditLog(log())
    expect(first).toBeGreaterThan(1)
    expect(findings).toEqual([expect.objectContaining({ kind: 'begins-later' })])
    expect(findings.some(isProblem)).toBe(false)
  })

  it.each<[string, (all: readonly string[]) => readonly string[], readonly string[]]>([
    ['a line that is changed', (all) => all.with(2, (all[2] ?? '').replace('"number":3', '"number":4')), ['changed 3']],
    [
      'a hash that is changed',
      (all) => all.with(2, (all[2] ?? '').replace(/.{9}"\}\n$/, 'AAAAAAAAA"}\n')),
      ['changed 3', 'changed 4'],
    ],
    ['a line that is removed', (all) => all.toSpliced(2, 1), ['missing 3']],
    ['lines that are removed', (all) => all.toSpliced(2, 3), ['missing 3']],
    ['two lines that are exchanged', (all) => all.with(2, all[3] ?? '').with(3, all[2] ?? ''), ['reordered 4']],
    ['a line that is repeated', (all) => all.toSpliced(3, 0, all[2] ?? ''), ['reordered 4']],
    ['a line that is added', (all) => all.toSpliced(2, 0, '{"time":"now","number":7}\n'), ['inserted 3']],
    ['a line without its hash', (all) => all.with(2, line(3)), ['inserted 3', 'missing 4']],
    ['the first lines removed', (all) => all.slice(2), ['begins-later 1']],
    ['the last line cut in the middle', (all) => all.with(9, (all[9] ?? '').slice(0, 20)), ['torn 10']],
    ['a foreign last line', (all) => [...all, '{"a":1}\n'], ['inserted 11']],
  ])('reports %s, and where', async (_name, change, expected) => {
    await written(1, 10)
    await store(change(await lines()))
    expect(await told()).toEqual(expected)
  })

  it('reports the place by file, line and byte', async () => {
    await written(1, 3)
    const all = await lines()
    await store(all.toSpliced(1, 1))
    const { findings } = await verifyAuditLog(log())
    expect(findings).toEqual([
      {
        kind: 'missing',
        place: { file: log(), line: 2, offset: Buffer.byteLength(all[0] ?? '') },
        message: 'line 2 of the chain is missing before this one',
      },
    ])
  })

  it.each([1, 30, 90])(
    'a line that a crash cut off after %i bytes is distinguished from a changed one',
    async (length) => {
      await written(1, 5)
      const all = await lines()
      await store(all.with(4, (all[4] ?? '').slice(0, length)))
      await written(6, 8)
      expect(await told()).toEqual(['torn 5'])
      const changed = await lines()
      await store(changed.with(4, `x${changed[4]}`))
      expect(await told()).toEqual(['inserted 5', 'changed 6'])
    },
  )

  it('a line that lacks only its line break is a line', async () => {
    await written(1, 5)
    await store([(await lines()).join('').trimEnd()])
    await written(6, 8)
    expect(await verifyAuditLog(log())).toMatchObject({ lines: 8, findings: [] })
  })

  it('stays complete when the server crashes again right after it has ended a torn line', async () => {
    await written(1, 5)
    await appendFile(log(), '{"time":"n\n')
    await written(6, 7)
    expect(await told()).toEqual(['torn 6'])
  })

  it('begins after lines of an older version, and reports that these cannot be checked', async () => {
    await writeFile(log(), line(1) + line(2))
    await written(3, 4)
    expect(await told()).toEqual(['unchained 1'])
    await store((await lines()).toSpliced(2, 1))
    expect((await verifyAuditLog(log())).findings.some(isProblem)).toBe(true)
  })

  it('a head that is kept elsewhere shows that the end was cut off, or that everything was rewritten', async () => {
    await written(1, 10)
    const { head } = await verifyAuditLog(log())
    expect(await told(head)).toEqual([])
    const all = await lines()
    await store(all.slice(0, 8))
    expect(await told()).toEqual([])
    expect(await told(head)).toEqual(['cut 0'])
    await rm(log())
    await written(11, 22)
    expect(await told()).toEqual([])
    expect(await told(head)).toEqual(['replaced 10'])
  })

  it('a new chain in place of an old one is reported', async () => {
    await written(1, 4)
    const before = await lines()
    await rm(log())
    await written(5, 6)
    await store([...before, ...(await lines())])
    expect(await told()).toEqual(['replaced 5'])
  })
})
