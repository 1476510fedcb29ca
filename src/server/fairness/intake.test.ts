import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Intake } from './intake.ts'
import { LoopTurn } from './loop-turn.ts'

/** What is begun at once, and then in each turn of the event loop. */
async function begunBy(msPerTurn: number, addresses: readonly string[]): Promise<readonly string[]> {
  const intake = new Intake(new LoopTurn(msPerTurn))
  let begun: string[] = []
  for (const address of addresses) intake.take(address, () => begun.push(address))
  const perTurn = [begun.join()]
  for (let turn = 0; turn < 8; turn++) {
    begun = []
    await nextTurn()
    perTurn.push(begun.join())
  }
  return perTurn.filter((each) => each !== '')
}

it('begins everything at once while there is time', async () => {
  expect(await begunBy(Number.POSITIVE_INFINITY, ['192.0.2.1', '192.0.2.1', '192.0.2.2'])).toEqual([
    '192.0.2.1,192.0.2.1,192.0.2.2',
  ])
})

it('goes on in the next turns when the time is over, one network after the other', async () => {
  const addresses = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '192.0.2.2']
  expect(await begunBy(0, addresses)).toEqual(['2001:db8::1', '2001:db8::2', '192.0.2.2', '2001:db8::3'])
})
