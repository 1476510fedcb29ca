import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Counts, runFolder } from './run-folder.ts'

const directory = mkdtempSync(join(tmpdir(), 'tenant-run-folder-'))
afterAll(() => rmSync(directory, { recursive: true }))

describe('the folder of a run', () => {
  const folder = runFolder(directory)
  const none = { answer: [0, 0], 'compressed answer': [0, 0], 'call over a link': [0, 0] } as const
  const counts: Counts = { looks: { ...none, output: [0, 0], log: [1, 2], file: [0, 0] }, shown: 3 }
  const finding = { test: 'a.test.ts', place: 'log', what: 'tpk_1…' }

  it('is empty at first', () => {
    expect([folder.findings(), folder.counts()]).toEqual([[], []])
  })

  it('keeps all findings, and the last counts of each process', () => {
    folder.add(finding)
    folder.add(finding)
    folder.keep('1-0', { ...counts, shown: 1 })
    folder.keep('1-0', counts)
    folder.keep('2-0', counts)
    expect(folder.findings()).toEqual([finding, finding])
    expect(folder.counts()).toEqual([counts, counts])
  })

  it('tolerates processes that are killed while they write, and loses no finding', () => {
    appendFileSync(join(directory, 'findings.jsonl'), '{"test":"a.te')
    writeFileSync(join(directory, '3-0.counts'), '')
    expect(folder.findings()).toHaveLength(3)
    expect(folder.counts()).toHaveLength(2)
  })
})
