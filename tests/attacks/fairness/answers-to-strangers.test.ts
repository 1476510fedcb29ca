import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { LevelName } from '../../../src/server/fairness/contract.ts'
import type { Channel } from '../../../src/server/transport/channel.ts'
import { deliver } from '../../../src/server/transport/deliver.ts'
import { exchangeOf } from '../../server/fair-exchange.ts'

/** How much of an answer is written for a client that does not read. */
async function writtenUnread(level: LevelName, bytes: number): Promise<number> {
  const exchange = exchangeOf()
  exchange.flow = { level, owner: 'a', key: '' }
  let written = 0
  const channel: Channel = {
    send: (_status, _headers, body) => {
      written += body?.length ?? 0
    },
    open: () => ({
      isGone: false,
      write: (part) => {
        written += part.length
        return false
      },
      drained: () => new Promise<void>(() => {}),
      end: () => {},
      destroy: () => {},
    }),
  }
  deliver(exchange, { status: 200, headers: [], body: Buffer.alloc(bytes) }, channel)
  await nextTurn()
  return written
}

test.each([
  ['strangers', 600_000, 32 * 1024],
  ['strangers', 200_000, 32 * 1024],
  ['strangers', 20_000, 20_000],
  ['callers', 600_000, 256 * 1024],
  ['callers', 200_000, 200_000],
] as const)('of an unread answer to %s of %i bytes, %i are in memory', async (level, bytes, expected) => {
  expect(await writtenUnread(level, bytes)).toBe(expected)
})
