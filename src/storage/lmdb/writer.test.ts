import { expect, it } from 'vitest'
import { cannotGoOn } from './writer.ts'

it('a store that is lost says why, since the log shows its message alone', () => {
  expect(cannotGoOn(new Error('MDB_READERS_FULL')).message).toBe('the store cannot go on (MDB_READERS_FULL)')
})
