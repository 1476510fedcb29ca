import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type ArrivingRequest, Intake } from './intake.ts'
import { LoopTurn } from './loop-turn.ts'
import { Newcomers } from './newcomers.ts'

/** One connection for each address, unless the text names another after it. */
function arrivals(places: readonly string[]): readonly ArrivingRequest[] {
  const peers = new Map(places.map((place) => [place, peerFrom(place)]))
  return places.map((place) => ({
    clientAddress: place.split(' ')[0] ?? '',
    peer: peers.get(place) ?? peerFrom(place),
    isGone: place.endsWith(' gone'),
  }))
}

function peerFrom(remoteAddress: string): ArrivingRequest['peer'] {
  return { remoteAddress, localAddress: '192.0.2.9:8443', certificateSubject: undefined }
}

/** The requests begun at once, and then in each iteration of the event loop. */
async function begunBy(msPerTurn: number, places: readonly string[], newcomers = 0): Promise<readonly string[]> {
  const intake = new Intake(new LoopTurn(msPerTurn), new Newcomers(newcomers))
  let begun: string[] = []
  for (const arrived of arrivals(places)) intake.take(arrived, () => begun.push(arrived.peer.remoteAddress))
  const perTurn = [begun.join()]
  for (let turn = 0; turn < 12; turn++) {
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

it('continues in the next iterations when the time is over, one network after the other', async () => {
  const addresses = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '192.0.2.2']
  expect(await begunBy(0, addresses)).toEqual(['2001:db8::1', '2001:db8::2', '192.0.2.2', '2001:db8::3'])
})

it('lets the connections of one network take turns', async () => {
  const places = ['192.0.2.1 a', '192.0.2.1 a', '192.0.2.1 a', '192.0.2.1 a', '192.0.2.1 b', '192.0.2.2']
  expect(await begunBy(0, places)).toEqual([
    '192.0.2.1 a',
    '192.0.2.1 a',
    '192.0.2.2',
    '192.0.2.1 b',
    '192.0.2.1 a',
    '192.0.2.1 a',
  ])
})

it('does not start a request that was canceled while it waited', async () => {
  expect(await begunBy(0, ['192.0.2.1', '192.0.2.1 gone', '192.0.2.1 b'])).toEqual(['192.0.2.1', '192.0.2.1 b'])
})

it('counts what a request does after it has waited for a promise', async () => {
  let done = 0
  let doneBefore = 0
  const turn = {
    begin: () => {
      doneBefore = done
    },
    get isOver() {
      return done - doneBefore >= 2
    },
  }
  const intake = new Intake(turn, new Newcomers(0))
  const perTurn: number[] = []
  done = 2
  for (const arrived of arrivals(Array.from({ length: 6 }, (_, index) => `192.0.2.${index}`)))
    intake.take(arrived, async () => {
      await Promise.resolve()
      await Promise.resolve()
      done += 1
    })
  for (let each = 0; each < 4; each++) {
    const before = done
    await nextTurn()
    perTurn.push(done - before)
  }
  expect(perTurn).toEqual([2, 2, 2, 0])
})

it('lets a network with nothing waiting go first, although the time is over', async () => {
  const places = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.3']
  expect(await begunBy(0, places, 2)).toEqual(['192.0.2.1,192.0.2.1,192.0.2.2', '192.0.2.1', '192.0.2.2', '192.0.2.3'])
})
