import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesReachedFrom } from '../support/programs/reached-files.ts'

it.each([
  ['of histories', import.meta.dirname],
  ['of workloads', join(import.meta.dirname, '../chaos/workloads')],
])('the checker %s and its driver share no code with the product', (_, directory) => {
  const reached = filesReachedFrom(directory)
  expect(reached).toContain('tests/support/stores/etcd.ts')
  expect(reached.filter((file) => !file.startsWith('tests/'))).toEqual([])
})
