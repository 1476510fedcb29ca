import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTrail, type TrailFilter } from './trail.ts'

let directory = ''
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trail-'))
})
afterEach(() => rm(directory, { recursive: true }))

const file = () => join(directory, 'audit.log')
const trail = (maxBytes?: number) =>
  createTrail({ file: file(), flush: async () => {}, ...(maxBytes === undefined ? {} : { maxBytes }) })

function line(number: number, more: object = {}): string {
  const time = new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString()
  return `${JSON.stringify({ time, auditId: `a${number}`, keyId: 'x', key: 'ci', user: 'ann', verb: 'get', code: 200, decision: 'allow', ...more })}\n`
}

async function idsOf(filter: TrailFilter = {}, limit = 100, after?: string): Promise<readonly string[]> {
  return (await trail().page(filter, limit, after)).entries.map(({ auditId }) => auditId)
}

describe('the audit trail', () => {
  it('is empty where nothing was written', async () => {
    expect(await trail().page({}, 10)).toEqual({ entries: [], complete: true })
  })

  it('is read newest first, through the files that were set aside', async () => {
    await writeFile(`${file()}.2`, line(1) + line(2))
    await writeFile(`${file()}.1`, line(3))
    await writeFile(file(), line(4) + line(5))
    expect(await idsOf()).toEqual(['a5', 'a4', 'a3', 'a2', 'a1'])
  })

  it('is read whole when it is longer than what is read at a time', async () => {
    const count = 9000
    await writeFile(file(), Array.from({ length: count }, (_, index) => line(index)).join(''))
    const ids: string[] = []
    expect(await trail().each({}, ({ auditId }) => ids.push(auditId))).toBe(true)
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => `a${count - 1 - index}`))
  })

  it('is read page by page', async () => {
    await writeFile(file(), [1, 2, 3, 4, 5].map((number) => line(number)).join(''))
    const first = await trail().page({}, 2)
    expect([first.entries.map(({ auditId }) => auditId), first.next]).toEqual([['a5', 'a4'], 'a4'])
    expect(await idsOf({}, 2, 'a4')).toEqual(['a3', 'a2'])
    const last = await trail().page({}, 2, 'a2')
    expect([last.entries.length, last.next]).toEqual([1, undefined])
  })

  it.each<readonly [TrailFilter, readonly string[]]>([
    [{ key: 'ci' }, ['a4', 'a2', 'a1']],
    [{ key: 'c' }, []],
    [{ user: 'bob' }, ['a3']],
    [{ verb: 'list' }, ['a2']],
    [{ decision: 'deny' }, ['a4']],
    [{ sinceMs: Date.UTC(2026, 0, 1, 0, 0, 3) }, ['a4', 'a3']],
    [{ untilMs: Date.UTC(2026, 0, 1, 0, 0, 1) }, ['a1']],
  ])('picks what fits %j', async (filter, ids) => {
    const lines = [
      line(1),
      line(2, { verb: 'list' }),
      line(3, { user: 'bob', key: 'other' }),
      line(4, { decision: 'deny' }),
    ]
    await writeFile(file(), lines.join(''))
    expect(await idsOf(filter)).toEqual(ids)
  })

  it('passes over what is no entry', async () => {
    await writeFile(file(), `${line(1)}{"half": \n\n[]\nnull\n${'x'.repeat(400_000)}\n${line(2)}{"time": "cut off`)
    expect(await idsOf()).toEqual(['a2', 'a1'])
  })

  it('stops at its limit, and says so', async () => {
    await writeFile(file(), Array.from({ length: 100 }, (_, index) => line(index)).join(''))
    expect((await trail(line(1).length * 10).page({}, 1000)).complete).toBe(false)
  })
})
