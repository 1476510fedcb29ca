import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTrail, type TrailFilter, type TrailPage } from './trail.ts'

const asker = { owner: 'alice', signal: new AbortController().signal }

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

async function idsOf(filter: TrailFilter = {}, limit = 100): Promise<readonly string[]> {
  return (await trail().page(asker, filter, limit)).entries.map(({ auditId }) => auditId)
}

const timesOf = ({ entries }: TrailPage) => entries.map(({ time }) => Number(time.slice(17, 19)))

describe('the audit trail', () => {
  it('is empty where nothing was written', async () => {
    expect(await trail().page(asker, {}, 10)).toEqual({ entries: [], complete: true })
  })

  it('is read newest first, through rotated files', async () => {
    await writeFile(`${file()}.2`, line(1) + line(2))
    await writeFile(`${file()}.1`, line(3))
    await writeFile(file(), line(4) + line(5))
    expect(await idsOf()).toEqual(['a5', 'a4', 'a3', 'a2', 'a1'])
  })

  it('is read completely when it is longer than one read', async () => {
    const count = 9000
    await writeFile(file(), Array.from({ length: count }, (_, index) => line(index)).join(''))
    const ids: string[] = []
    expect(await trail().each(asker, {}, ({ auditId }) => ids.push(auditId))).toBe(true)
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => `a${count - 1 - index}`))
  })

  it('is read page by page', async () => {
    await writeFile(file(), [1, 2, 3, 4, 5].map((number) => line(number)).join(''))
    const first = await trail().page(asker, {}, 2)
    const second = await trail().page(asker, {}, 2, first.next)
    const last = await trail().page(asker, {}, 2, second.next)
    expect([first, second, last].map(timesOf)).toEqual([[5, 4], [3, 2], [1]])
    expect(last.next).toBeUndefined()
  })

  it('continues where it was left, whatever ids clients have chosen', async () => {
    const lines = Array.from({ length: 7 }, (_, index) => line(index + 1, { auditId: 'same' }))
    await writeFile(file(), lines.join(''))
    const seen: number[] = []
    let next: TrailPage['next']
    do {
      const page = await trail().page(asker, {}, 3, next)
      seen.push(...timesOf(page))
      next = page.next
    } while (next !== undefined)
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  it('continues where it was left when the file was rotated and more has come', async () => {
    await writeFile(file(), [1, 2, 3, 4].map((number) => line(number)).join(''))
    const { next } = await trail().page(asker, {}, 2)
    await rename(file(), `${file()}.1`)
    await writeFile(file(), line(5) + line(6))
    expect(timesOf(await trail().page(asker, {}, 9, next))).toEqual([2, 1])
    await rm(`${file()}.1`)
    expect(await trail().page(asker, {}, 9, next)).toEqual({ entries: [], complete: true })
  })

  it('is read by a few at a time; a caller is refused when many wait', async () => {
    await writeFile(file(), line(1))
    const shared = trail()
    const answers = await Promise.allSettled(Array.from({ length: 40 }, () => shared.page(asker, {}, 1)))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(9)
    expect(await shared.page(asker, {}, 1)).toMatchObject({ complete: true })
  })

  it.each<readonly [TrailFilter, readonly string[]]>([
    [{ key: 'ci' }, ['a4', 'a2', 'a1']],
    [{ key: 'c' }, []],
    [{ user: 'bob' }, ['a3']],
    [{ verb: 'list' }, ['a2']],
    [{ decision: 'deny' }, ['a4']],
    [{ sinceMs: Date.UTC(2026, 0, 1, 0, 0, 3) }, ['a4', 'a3']],
    [{ untilMs: Date.UTC(2026, 0, 1, 0, 0, 1) }, ['a1']],
  ])('selects what matches %j', async (filter, ids) => {
    const lines = [
      line(1),
      line(2, { verb: 'list' }),
      line(3, { user: 'bob', key: 'other' }),
      line(4, { decision: 'deny' }),
    ]
    await writeFile(file(), lines.join(''))
    expect(await idsOf(filter)).toEqual(ids)
  })

  it('skips invalid entries', async () => {
    await writeFile(file(), `${line(1)}{"half": \n\n[]\nnull\n${'x'.repeat(400_000)}\n${line(2)}{"time": "cut off`)
    expect(await idsOf()).toEqual(['a2', 'a1'])
  })

  it('stops at its limit, and reports it', async () => {
    await writeFile(file(), Array.from({ length: 100 }, (_, index) => line(index)).join(''))
    expect((await trail(line(1).length * 10).page(asker, {}, 1000)).complete).toBe(false)
  })
})
