import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { tooManyRequests } from '../../api/error.ts'
import { ConnectionError } from '../../client/connection/connection-error.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Trouble } from '../contract.ts'
import { printName } from '../names/names.ts'
import { ReadAgain, SyncTrouble } from './failures/failure.ts'
import { ObjectQueue } from './object-queue.ts'

const web = { namespace: 'default', name: 'web' }
const refused = new SyncTrouble({ reason: 'WriteRefused', message: 'no' })

type Answer = 'done' | 'again' | Error

/** A queue whose checks of `web` have these results, one after the other, and then succeed. */
function queueWith(...answers: readonly Answer[]) {
  const left = [...answers]
  const looks: string[] = []
  const told: string[] = []
  const objects = new ObjectQueue({
    look: async (name: ObjectName) => {
      looks.push(printName(name))
      const answer = left.shift() ?? 'done'
      if (answer instanceof Error) throw answer
      return answer
    },
    failed: (name, { reason }) => told.push(`${printName(name)} ${reason}`),
    handled: () => {},
    config: () => undefined,
    elapsed: { now: () => 0 },
    clock: { now: () => 0 },
  })
  objects.add(web)
  objects.begin()
  return { objects, looks, told }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the first pass', () => {
  it.each<[string, Answer[], boolean]>([
    ['ends with the last object that was there', ['done'], true],
    ['continues while an object must be requeued', ['again', 'again'], true],
    ['ends for an object that is refused', [refused], true],
    ['waits for a side that is away', [new ConnectionError('away')], false],
    ['waits for a concurrent write of another client', [new ReadAgain('changed')], false],
  ])('%s', async (_, answers, isOver) => {
    const { objects } = queueWith(...answers)
    await vi.advanceTimersByTimeAsync(0)
    expect(objects.isSettled).toBe(isOver)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(objects.isSettled).toBe(true)
  })
})

describe('an object', () => {
  it('that fails is reported once for each attempt, with growing pauses', async () => {
    const { objects, looks, told } = queueWith(refused, refused, refused)
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toEqual(['default/web WriteRefused'])
    expect(objects.states.get('default/web')).toMatchObject({ state: 'failing', trouble: { reason: 'WriteRefused' } })
    // Half of a pause is random: the first lasts 500 to 1,000 ms, the second twice as long.
    await vi.advanceTimersByTimeAsync(499)
    expect(looks).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(501)
    expect(looks).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(499)
    expect(looks).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(6_000)
    expect([looks.length, told.length]).toEqual([4, 3])
  })

  it.each([
    ['a side is away', new ConnectionError('away'), 'waiting'],
    ['a side asks to come back', tooManyRequests('later', 1), 'waiting'],
    ['another client wrote in between', new ReadAgain('changed'), undefined],
  ])('is not blamed when %s', async (_, error, state) => {
    const { objects, told } = queueWith(error)
    await vi.advanceTimersByTimeAsync(0)
    expect(objects.states.get('default/web')?.state).toBe(state)
    expect(told).toEqual([])
  })
})

describe('objects that the host has refused', () => {
  const isMeant = ({ reason }: Trouble) => reason === 'WriteRefused'

  it('are retried at once when it may accept them, and others are not', async () => {
    const { objects, looks } = queueWith(refused, refused)
    await vi.advanceTimersByTimeAsync(0)
    expect(looks).toEqual(['default/web'])
    objects.addFailing(({ reason }) => reason === 'Other')
    await vi.advanceTimersByTimeAsync(0)
    expect(looks).toHaveLength(1)
    objects.addFailing(isMeant)
    await vi.advanceTimersByTimeAsync(0)
    expect(looks).toHaveLength(2)
    await objects.stop()
  })

  /** This many objects that are refused each time; each check is recorded by index. */
  async function refusedQueue(count: number) {
    const looks: number[] = []
    const objects = new ObjectQueue({
      look: async ({ name }) => {
        looks.push(Number(name))
        throw refused
      },
      failed: () => {},
      handled: () => {},
      config: () => undefined,
      elapsed: { now: () => 0 },
      clock: { now: () => 0 },
    })
    for (let place = 0; place < count; place++) objects.add({ namespace: 'default', name: String(place) })
    objects.begin()
    await vi.advanceTimersByTimeAsync(0)
    return { objects, looks }
  }

  it('are retried a few at a time', async () => {
    const { objects, looks } = await refusedQueue(25)
    looks.length = 0
    objects.addFailing(isMeant)
    await vi.advanceTimersByTimeAsync(0)
    expect(looks).toHaveLength(10)
    await vi.advanceTimersByTimeAsync(400)
    expect(looks).toHaveLength(25)
    await objects.stop()
  })

  it('all get their turn, even if some are accepted every second', async () => {
    const { objects, looks } = await refusedQueue(80)
    // From now on, their own pauses are longer than this test.
    await vi.advanceTimersByTimeAsync(60_000)
    looks.length = 0
    for (let second = 0; second < 3; second++) {
      objects.addFailing(isMeant)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(new Set(looks).size).toBe(80)
    await objects.stop()
  })
})
