import { expect, it } from 'vitest'
import { tableRows } from './server-table.ts'
import { textTable } from './text-table.ts'

it('aligns columns by their visible width, without trailing blanks', () => {
  const table = textTable([
    ['NAME', 'DISPLAY', 'AGE'],
    ['a', '鍵の束', '1s'],
    ['long-name', 'é', ''],
  ])
  expect(table).toBe('NAME        DISPLAY   AGE\na           鍵の束    1s\nlong-name   é\n')
})

it('escapes text that would move the cursor or reverse the line', () => {
  expect(textTable([['a\u001b[2Jb\rc\u202ed']])).toBe('a\ufffd[2Jb\ufffdc\ufffdd\n')
})

const served = {
  columnDefinitions: [{ name: 'Name', priority: 0 }, { name: 'Key Id', priority: 1 }, { name: 'Age' }],
  rows: [{ cells: ['ci', 'abc', ''] }, { cells: [7, null, '2d'] }],
}

it.each([
  [
    'table' as const,
    [
      ['NAME', 'AGE'],
      ['ci', '-'],
      ['7', '2d'],
    ],
  ],
  [
    'wide' as const,
    [
      ['NAME', 'KEY ID', 'AGE'],
      ['ci', 'abc', '-'],
      ['7', '-', '2d'],
    ],
  ],
])('shows the columns of the server for %s', (form, rows) => {
  expect(tableRows(served, form)).toEqual(rows)
})
