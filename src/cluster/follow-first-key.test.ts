import { expect, it } from 'vitest'
import { createLog } from '../base/log.ts'
import type { AdminRecord } from '../platform/identity/admin-record.ts'
import { followFirstKey } from './follow-first-key.ts'

const record: AdminRecord = { hash: 'hash', madeBy: 'a machine', madeAtMs: 1 }

it('a failing listener is logged, and holds up neither the others nor the server', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'error', write: (line) => lines.push(line) })
  const replaced: ((record: AdminRecord) => void)[] = []
  const engine = { settleFirstKey: async () => undefined, audit: () => {} }
  const identity = { onAdminReplaced: (listener: (record: AdminRecord) => void) => void replaced.push(listener) }
  const followed = await followFirstKey(engine, identity, log)
  let isTold = false
  followed.onReplaced(() => {
    throw new Error('the disk is full')
  })
  followed.onReplaced(() => {
    isTold = true
  })
  for (const listener of replaced) listener(record)
  await followed.stop()
  expect(isTold).toBe(true)
  expect(lines.join()).toContain('the disk is full')
})
