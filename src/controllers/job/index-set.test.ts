import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  commonCount,
  firstMissing,
  hasIndex,
  indexCount,
  parseIndexes,
  printIndexes,
  unionOf,
  withIndexes,
} from './index-set.ts'

describe('indexes are written as Kubernetes writes them', () => {
  it.each([
    [[], ''],
    [[3], '3'],
    [[1, 2], '1,2'],
    [[1, 2, 3], '1-3'],
    [[0, 2, 3, 4, 9], '0,2-4,9'],
  ])('%j as %j', (indexes, text) => {
    expect(printIndexes(withIndexes([], indexes))).toBe(text)
    expect(parseIndexes(text, 10)).toEqual(withIndexes([], indexes))
  })

  it.each([
    ['of a Job that has shrunk', '1-8', '1-4'],
    ['that are out of order', '3,1,4', '3,4'],
    ['that are not numbers', '1,x,2-y,-3,4', '1,4'],
    ['that end before they begin', '3-1', ''],
    ['that overlap', '1-3,2-4', '1-3'],
    ['that no number can hold', '99999999999999999999', ''],
  ])('indexes are left out %s', (_, text, kept) => {
    expect(printIndexes(parseIndexes(text, 5))).toBe(kept)
  })
})

const some = fc.uniqueArray(fc.nat(40), { maxLength: 30 })
const ordered = (indexes: Iterable<number>) => [...new Set(indexes)].sort((left, right) => left - right)

describe('a set of indexes does what a set of numbers does', () => {
  it('is the same after a round trip through its text', () => {
    fc.assert(
      fc.property(some, (indexes) => {
        const set = withIndexes([], indexes)
        expect(parseIndexes(printIndexes(set), 41)).toEqual(set)
        expect(indexCount(set)).toBe(indexes.length)
        for (let index = 0; index <= 41; index++) expect(hasIndex(set, index)).toBe(indexes.includes(index))
      }),
    )
  })

  it('computes a union and an intersection', () => {
    fc.assert(
      fc.property(some, some, (left, right) => {
        const [one, other] = [withIndexes([], left), withIndexes([], right)]
        expect(unionOf(one, other)).toEqual(withIndexes([], ordered([...left, ...right])))
        expect(commonCount(one, other)).toBe(left.filter((index) => right.includes(index)).length)
      }),
    )
  })

  it('finds the first missing indexes', () => {
    fc.assert(
      fc.property(some, fc.nat(10), (indexes, count) => {
        const missing = Array.from({ length: 41 }, (_, index) => index).filter((index) => !indexes.includes(index))
        expect(firstMissing(withIndexes([], indexes), count, 41)).toEqual(missing.slice(0, count))
      }),
    )
  })

  it('costs nothing for a billion indexes in one interval', () => {
    const billion = parseIndexes('0-999999998', 2_000_000_000)
    expect(billion).toEqual([0, 999_999_998])
    expect(firstMissing(billion, 2, 2_000_000_000)).toEqual([999_999_999, 1_000_000_000])
  })
})
