import { describe, expect, it } from 'vitest'
import { reportOf } from './report.ts'
import type { Counts } from './run-folder.ts'

const looks: Counts['looks'] = {
  answer: [3, 2_000_000],
  'compressed answer': [1, 1],
  'call over a link': [1, 1],
  output: [1, 1],
  log: [1, 1],
  file: [1, 1],
}
const all: Counts = { looks, shown: 2 }

describe('the report of a run', () => {
  it('sums up the counts of all processes', () => {
    const { isGood, text } = reportOf([], [all, all], true)
    expect(isGood).toBe(true)
    expect(text).toContain('6 writes of answers (4.0 MB)')
    expect(text).toContain('4 where they are meant to be, none elsewhere')
  })

  it('names each finding, its place, and its suite', () => {
    const { isGood, text } = reportOf([{ test: 'a.test.ts', place: 'log', what: 'tpk_1…' }], [all], false)
    expect(isGood).toBe(false)
    expect(text).toContain('  tpk_1…\n    in log\n    during a.test.ts')
  })

  it.each([
    ['a kind of place', { ...all, looks: { ...looks, file: [0, 0] } }, 'no pieces of files were seen at all'],
    ['keys', { ...all, shown: 0 }, 'no key was seen being made'],
  ] as const)('is a failure after all suites if they searched no %s', (_, counts, problem) => {
    expect(reportOf([], [counts], true)).toMatchObject({ isGood: false, text: expect.stringContaining(problem) })
    expect(reportOf([], [counts], false)).toMatchObject({ isGood: true })
  })
})
