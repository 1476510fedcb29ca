import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Colors } from './colors.ts'
import { diffLines } from './line-diff.ts'
import { unifiedDiff } from './unified-diff.ts'

function asIs(text: string): string {
  return text
}

const plain: Colors = { bold: asIs, dim: asIs, cyan: asIs, green: asIs, red: asIs, yellow: asIs }
const labels = { before: 'old', after: 'new' }

function diff(before: readonly string[], after: readonly string[]): string[] {
  return unifiedDiff(`${before.join('\n')}\n`, `${after.join('\n')}\n`, labels, plain).split('\n')
}

describe('a unified diff', () => {
  it('of equal texts is empty', () => {
    expect(unifiedDiff('a\nb\n', 'a\nb\n', labels, plain)).toBe('')
  })

  it('shows three lines around a change', () => {
    expect(
      diff(['1', '2', '3', '4', '5', '6', '7', '8', '9'], ['1', '2', '3', '4', 'five', '6', '7', '8', '9']),
    ).toEqual(['--- old', '+++ new', '@@ -2,7 +2,7 @@', ' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8', ''])
  })

  it('joins nearby changes and separates distant ones', () => {
    const before = Array.from({ length: 30 }, (_, line) => `line ${line}`)
    const after = before.map((line, position) => ([3, 8, 25].includes(position) ? 'changed' : line))
    expect(diff(before, after).filter((line) => line.startsWith('@@'))).toEqual([
      '@@ -1,12 +1,12 @@',
      '@@ -23,7 +23,7 @@',
    ])
  })

  it('marks nothing as common that would end a line or move a cursor', () => {
    expect(diff(['a'], ['\u001b[31mb'])).toContain('+\ufffd[31mb')
  })
})

describe('the lines of a diff', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })

  it('make up both texts', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diffed = diffLines(before, after)
        expect(diffed.filter(({ kind }) => kind !== 'added').map(({ text }) => text)).toEqual(before)
        expect(diffed.filter(({ kind }) => kind !== 'removed').map(({ text }) => text)).toEqual(after)
      }),
    )
  })

  it('of very large texts remove all and add all, without delay', () => {
    const before = Array.from({ length: 5000 }, (_, line) => `old ${line}`)
    const after = Array.from({ length: 5000 }, (_, line) => `new ${line}`)
    expect(diffLines(before, after)).toHaveLength(10_000)
  })
})
