import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { LoopTurn } from '../../fairness/loop-turn.ts'
import { TlsStarts } from './tls-starts.ts'

class WaitingPeer extends EventEmitter {
  readonly remoteAddress: string
  destroyed = false

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy(): this {
    this.destroyed = true
    return this
  }
}

/** The handshakes started at once, and then in each iteration of the event loop. */
async function startedBy(msPerTurn: number, peers: readonly WaitingPeer[]): Promise<readonly string[]> {
  let started: string[] = []
  const starts = new TlsStarts<WaitingPeer>(({ remoteAddress }) => started.push(remoteAddress), new LoopTurn(msPerTurn))
  for (const peer of peers) starts.take(peer)
  const perTurn = [started.join()]
  for (let turn = 0; turn < 10; turn++) {
    started = []
    await nextTurn()
    perTurn.push(started.join())
  }
  return perTurn.filter((each) => each !== '')
}

const from = (...addresses: readonly string[]) => addresses.map((address) => new WaitingPeer(address))

it('starts every handshake at once while there is time', async () => {
  expect(await startedBy(Number.POSITIVE_INFINITY, from('192.0.2.1', '192.0.2.2'))).toEqual(['192.0.2.1,192.0.2.2'])
})

it('starts the others in the next iterations, one network after the other', async () => {
  const peers = from('192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2')
  expect(await startedBy(0, peers)).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1'])
})

it('survives a connection that breaks while it waits, and does not start it', async () => {
  const peers = from('192.0.2.1', '192.0.2.2', '192.0.2.3')
  const started = startedBy(0, peers)
  peers[1]?.emit('error', new Error('reset'))
  expect(await started).toEqual(['192.0.2.1', '192.0.2.3'])
})
