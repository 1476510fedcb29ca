import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { monotonicClock, systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { systemRandom } from '../../src/base/random.ts'
import { leaseType } from '../../src/client/builtin-types.ts'
import type { KubeClient } from '../../src/client/contract.ts'
import type { LeaseClient, Term } from '../../src/client/lease/contract.ts'
import { runElection } from '../../src/client/lease/election.ts'
import { readLease } from '../../src/client/lease/record.ts'
import { eventually } from '../support/eventually.ts'
import { startFaultyTcp } from '../support/network/faulty-tcp.ts'
import { clientOf, newNamespace } from './client-of.ts'
import { describeEachServer, type UsedServer } from './servers.ts'

const patienceMs = 240_000
/** A leader is not deposed because the machine was busy for some seconds. */
const times = { leaseSeconds: 10, holdSeconds: 8, retrySeconds: 0.2 }

describeEachServer((start) => {
  let server: UsedServer
  let observer: KubeClient
  const namespace = 'elections'
  const lasting = election('kept')
  const leaving: (() => Promise<void>)[] = []
  let leaseIsOver: Promise<void>

  beforeAll(async () => {
    server = await start()
    observer = await clientOf(server)
    await newNamespace(observer, namespace)
    for (const name of ['a', 'b']) leaving.push(lasting.join(name, observer).leave)
    await eventually(() => expect(lasting.leading).toHaveLength(1), patienceMs)
    // It lasts while the other tests run.
    leaseIsOver = delay(times.leaseSeconds * 1_000 + 1_000)
  })

  afterAll(async () => {
    for (const leave of leaving) await leave()
    await observer?.close()
    await server?.remove()
  })

  /** Several candidates; `leading` names, in order, those that believe they lead. */
  function election(lease: string) {
    const leading: string[] = []
    const story: string[] = []
    const join = (name: string, client: LeaseClient, lead?: (term: Term) => Promise<void>) => {
      const end = new AbortController()
      const done = runElection(
        {
          client,
          lease: { namespace, name: lease },
          name,
          clock: systemClock,
          elapsed: monotonicClock,
          random: systemRandom,
          log: silentLog,
          times,
          lead: async (term) => {
            leading.push(name)
            story.push(`${name} leads with ${leading.length - 1} others`)
            if (!term.signal.aborted) await new Promise((resolve) => term.signal.addEventListener('abort', resolve))
            leading.splice(leading.indexOf(name), 1)
            await lead?.(term)
          },
        },
        end.signal,
      )
      const leave = async () => {
        end.abort()
        await done
      }
      return { leave }
    }
    return { join, leading, story }
  }

  /** For the time of one test. */
  const joined = <T extends { leave(): Promise<void> }>(candidate: T): T => {
    onTestFinished(() => candidate.leave())
    return candidate
  }

  const holder = async (lease: string) => readLease(await observer.get(leaseType, { namespace, name: lease })).holder

  it('has one winner, and another after that one leaves', async () => {
    const { join, leading, story } = election('handed-over')
    const all = ['a', 'b', 'c', 'd'].map((name) => ({ name, ...joined(join(name, observer)) }))
    for (let left = all.length; left > 0; left--) {
      await eventually(() => expect(leading).toHaveLength(1), patienceMs)
      const [name = ''] = leading
      expect(await holder('handed-over')).toMatch(new RegExp(`^${name}_`))
      await all.find((each) => each.name === name)?.leave()
    }
    expect(leading).toEqual([])
    expect(story).toHaveLength(4)
    expect(story.every((line) => line.endsWith('with 0 others'))).toBe(true)
    expect(await holder('handed-over')).toBe('')
  })

  it('deposes a disconnected leader before another one leads', async () => {
    const network = await startFaultyTcp(server.port)
    const cutOff = await clientOf(server, { port: network.port })
    onTestFinished(async () => {
      await cutOff.close()
      await network.remove()
    })
    const { join, leading, story } = election('cut-off')
    const terms: boolean[] = []
    let looks = 0
    const counted: LeaseClient = {
      get: async (...asked) => {
        const lease = await cutOff.get(...asked)
        looks += 1
        return lease
      },
      create: (...asked) => cutOff.create(...asked),
      update: (...asked) => cutOff.update(...asked),
    }
    joined(
      join('first', counted, async (term) => {
        terms.push(term.holds())
      }),
    )
    await eventually(() => expect(leading).toEqual(['first']), patienceMs)
    joined(join('second', observer))
    await network.set({ kind: 'stalled' })
    await eventually(() => expect(leading).toEqual(['second']), patienceMs)
    expect(terms).toEqual([false])
    expect(story).toEqual(['first leads with 0 others', 'second leads with 0 others'])
    const before = looks
    await network.set({ kind: 'fine' })
    await eventually(() => expect(looks).toBeGreaterThan(before + 3), patienceMs)
    expect(leading).toEqual(['second'])
  })

  it('deposes a leader whose lease another process holds', async () => {
    const { join, leading, story } = election('taken')
    joined(join('first', observer))
    await eventually(() => expect(leading).toEqual(['first']), patienceMs)
    const spec = { holderIdentity: 'stranger', leaseDurationSeconds: 1 }
    await observer.patch(leaseType, { namespace, name: 'taken' }, { type: 'merge', body: { spec } })
    const again = 'first leads with 0 others'
    await eventually(() => expect(story).toEqual([again, again]), patienceMs)
  })

  it('rejects with the error that the leader throws', async () => {
    const done = runElection(
      {
        client: observer,
        lease: { namespace, name: 'failing' },
        name: 'a',
        clock: systemClock,
        elapsed: monotonicClock,
        random: systemRandom,
        log: silentLog,
        times,
        lead: () => Promise.reject(new Error('cannot lead')),
      },
      new AbortController().signal,
    )
    await expect(done).rejects.toThrow('cannot lead')
    expect(await holder('failing')).toBe('')
  })

  it('keeps its winner for longer than one lease', async () => {
    await leaseIsOver
    expect(lasting.leading).toHaveLength(1)
    expect(lasting.story).toHaveLength(1)
  })
})
