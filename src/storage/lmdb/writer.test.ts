import { expect, it } from 'vitest'
import { cannotGoOn } from './writer.ts'

it('the error of a lost store contains its cause', () => {
  expect(cannotGoOn(new Error('MDB_READERS_FULL')).message).toBe('the store has failed (MDB_READERS_FULL)')
})
