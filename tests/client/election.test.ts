import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { monotonicClock, systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { systemRandom } from '../../src/base/random.ts'
import type { KubeClient } from '../../src/client/contract.ts'
import type { Term } from '../../src/client/lease/contract.ts'
import { takePart } from '../../src/client/lease/election.ts'
import { leases, readLease } from '../../src/client/lease/record.ts'
import { eventually } from '../support/eventually.ts'
import { startFaultyTcp } from '../support/faulty-tcp.ts'
import { clientOf, newNamespace } from './client-of.ts'
import { describeEachServer, type UsedServer } from './servers.ts'

const patienceMs = 240_000
const times = { leaseSeconds: 3, holdSeconds: 2, retrySeconds: 0.2 }

describeEachServer((start) => {
  let server: UsedServer
  let observer: KubeClient
  const namespace = 'elections'

  beforeAll(async () => {
    server = await start()
    observer = await clientOf(server)
    await newNamespace(observer, namespace)
  })

  afterAll(async () => {
    await observer?.close()
    await server?.remove()
  })

  /** Several candidates; `leading` names, in order, those that believe they lead. */
  function election(lease: string) {
    const leading: string[] = []
    const story: string[] = []
    const join = (name: string, client: KubeClient, lead?: (term: Term) => Promise<void>) => {
      const end = new AbortController()
      const done = takePart(
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
      onTestFinished(leave)
      return { leave }
    }
    return { join, leading, story }
  }

  const holder = async (lease: string) => readLease(await observer.get(leases, { namespace, name: lease })).holder

  it('has one winner, and another after that one leaves', async () => {
    const { join, leading, story } = election('handed-over')
    const all = ['a', 'b', 'c', 'd'].map((name) => ({ name, ...join(name, observer) }))
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

  it('keeps its winner for longer than one lease', async () => {
    const { join, leading, story } = election('kept')
    join('a', observer)
    join('b', observer)
    await delay(times.leaseSeconds * 1_000 + 1_000)
    expect(leading).toHaveLength(1)
    expect(story).toHaveLength(1)
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
    join('first', cutOff, async (term) => {
      terms.push(term.holds())
    })
    await eventually(() => expect(leading).toEqual(['first']), patienceMs)
    join('second', observer)
    await network.set({ kind: 'stalled' })
    await eventually(() => expect(leading).toEqual(['second']), patienceMs)
    expect(terms).toEqual([false])
    expect(story).toEqual(['first leads with 0 others', 'second leads with 0 others'])
    await network.set({ kind: 'fine' })
    await delay(times.leaseSeconds * 1_000)
    expect(leading).toEqual(['second'])
  })

  it('deposes a leader whose lease another process holds', async () => {
    const { join, leading, story } = election('taken')
    join('first', observer)
    await eventually(() => expect(leading).toEqual(['first']), patienceMs)
    const spec = { holderIdentity: 'stranger', leaseDurationSeconds: 1 }
    await observer.patch(leases, { namespace, name: 'taken' }, { type: 'merge', body: { spec } })
    await eventually(() => expect(leading).toEqual([]), patienceMs)
    await eventually(() => expect(leading).toEqual(['first']), patienceMs)
    expect(story).toHaveLength(2)
  })

  it('rejects with the error that the leader throws', async () => {
    const done = takePart(
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
})
