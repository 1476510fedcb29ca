import { describe, expect, it } from 'vitest'
import { HistoryMarks } from './history-marks.ts'

const mebibyte = 1024 * 1024

describe('the history of a store', () => {
  it('is kept for five minutes, with a mark every ten seconds', () => {
    const marks = new HistoryMarks()
    const told = Array.from({ length: 43 }, (_, index) => marks.add({ revision: 100 + index, bytes: index }))
    const forgotten = told.flatMap((revision, index) => (revision === undefined ? [] : [[index, revision]]))
    expect(forgotten).toEqual([
      [36, 106],
      [42, 112],
    ])
  })

  it('is shorter after many writes', () => {
    const marks = new HistoryMarks()
    expect(marks.add({ revision: 1, bytes: 0 })).toBeUndefined()
    expect(marks.add({ revision: 2, bytes: 200 * mebibyte })).toBeUndefined()
    expect(marks.add({ revision: 3, bytes: 400 * mebibyte })).toBe(2)
    expect(marks.add({ revision: 4, bytes: 401 * mebibyte })).toBeUndefined()
    expect(marks.add({ revision: 5, bytes: 2_000 * mebibyte })).toBe(5)
    expect(marks.add({ revision: 6, bytes: 2_001 * mebibyte })).toBeUndefined()
  })

  it('is forgotten by caches after two minutes', () => {
    const marks = new HistoryMarks()
    const forgettable = Array.from({ length: 14 }, (_, index) => {
      marks.add({ revision: 100 + index, bytes: index })
      return marks.forgettable
    })
    expect(forgettable).toEqual([...Array(12).fill(undefined), 100, 101])
  })
})
