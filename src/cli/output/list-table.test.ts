import { expect, it } from 'vitest'
import { listTable } from './list-table.ts'

it('leaves out the columns in which no object has a value', () => {
  const rows = [
    ['NAME', 'DISPLAY NAME', 'OWNER'],
    ['a', '-', '-'],
    ['b', '-', 'ada'],
  ]
  expect(listTable(rows)).toBe('NAME   OWNER\na      -\nb      ada\n')
})
