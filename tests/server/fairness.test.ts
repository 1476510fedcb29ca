import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Exchange } from '../../src/server/exchange.ts'
import { Bodies, type BodyBudget } from '../../src/server/fairness/bodies.ts'
import { flowOf } from '../../src/server/fairness/flow.ts'
import { Gate } from '../../src/server/fairness/gate.ts'
import { isLongRunning, LongRunning } from '../../src/server/fairness/long-running.ts'
import { LoopTurn } from '../../src/server/fairness/loop-turn.ts'
import type { BodyLimit } from '../../src/server/http.ts'
import { defaultLimits, type Limits } from '../../src/server/limits.ts'
import { type Asking, exchangeOf } from './fair-exchange.ts'

const gates: Gate[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const gate of gates.splice(0)) gate.stop()
})

/**
 * Records which callers are admitted in which turn of the event loop. By default, turns end by number, and not by time,
 * for newcomers too.
 */
function worldOf(limits: Partial<Limits> = {}, isAdministrator?: (exchange: Exchange) => boolean) {
  let nowMs = 0
  const all = { ...defaultLimits, msPerTurn: Number.POSITIVE_INFINITY, newcomersPerTurn: 0, ...limits }
  const gate = new Gate({
    limits: all,
    elapsed: { now: () => nowMs },
    turn: new LoopTurn(all.msPerTurn),
    isAdministrator,
  })
  gates.push(gate)
  const log: string[] = []
  const ask = (asking: Asking, { needsPlace = true } = {}) => {
    const exchange = exchangeOf(asking)
    const name = asking.name ?? asking.address ?? ''
    const settled = Promise.resolve(gate.pass(exchange, needsPlace)).then(
      () => log.push(name),
      (error: { code: number }) => log.push(`${name} ${error.code}`),
    )
    return { exchange, settled }
  }
  return {
    gate,
    log,
    ask,
    pass: (ms: number) => {
      nowMs += ms
    },
  }
}

/** Waits until the gate has had a turn. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

describe('the gate', () => {
  it('admits a number of requests at once, and then a newcomer before the rest of the busiest caller', async () => {
    const { ask, log } = worldOf({ requestsPerTurn: 2 })
    for (let count = 0; count < 5; count++) ask({ name: 'busy' })
    ask({ name: 'other' })
    await turn()
    expect(log).toEqual(['busy', 'busy', 'busy', 'other'])
    await turn()
    expect(log).toEqual(['busy', 'busy', 'busy', 'other', 'busy', 'busy'])
  })

  it('ends an iteration at its time limit, after the current request', async () => {
    const { ask, log } = worldOf({ requestsPerTurn: 8, msPerTurn: 0 })
    for (let count = 0; count < 3; count++) ask({ name: 'busy' })
    ask({ name: 'other' })
    const perTurn: string[] = []
    for (let count = 0; count < 8; count++) {
      await turn()
      perTurn.push(log.splice(0).join())
    }
    expect(perTurn.filter((names) => names !== '')).toEqual(['busy', 'other', 'busy', 'busy'])
  })

  it('admits a caller without waiting requests at once, once in an iteration', async () => {
    const { ask, log } = worldOf({ requestsPerTurn: 1, newcomersPerTurn: 2 })
    for (let count = 0; count < 4; count++) ask({ name: 'busy' })
    for (let count = 0; count < 2; count++) ask({ name: 'other' })
    ask({ name: 'third' })
    await Promise.resolve()
    expect(log).toEqual(['busy', 'busy', 'other'])
    for (let count = 0; count < 6; count++) await turn()
    expect(log).toEqual(['busy', 'busy', 'other', 'busy', 'other', 'third', 'busy'])
  })

  it('alternates between the levels', async () => {
    const { ask, log } = worldOf({ requestsPerTurn: 1 })
    for (let count = 0; count < 4; count++) ask({ name: 'busy' })
    for (let count = 0; count < 2; count++) ask({ address: '192.0.2.7' })
    ask({ name: 'root', groups: ['system:masters'] })
    ask({ address: '192.0.2.9', url: '/livez' })
    for (let count = 0; count < 8; count++) await turn()
    expect(log.slice(1, 5).sort()).toEqual(['192.0.2.7', '192.0.2.9', 'busy', 'root'])
  })

  it('has separate slots for health, administrators, callers and strangers', async () => {
    const { ask, log } = worldOf({ maxRequestsInFlight: 20, requestsPerTurn: 100 })
    for (let count = 0; count < 10; count++) ask({ name: `user-${count}` })
    for (let count = 0; count < 10; count++) ask({ address: `192.0.2.${count}` })
    ask({ address: '192.0.2.1', url: '/readyz' })
    ask({ name: 'root', groups: ['system:masters'] })
    await turn()
    expect(log).toEqual([...[0, 1, 2, 3, 4, 5, 6].map((user) => `user-${user}`), '192.0.2.0', '192.0.2.1', 'root'])
  })

  it('passes a released slot on', async () => {
    const { ask, log } = worldOf({ maxRequestsInFlight: 1 })
    const first = ask({ name: 'a' })
    ask({ name: 'b' })
    await turn()
    expect(log).toEqual(['a'])
    first.exchange.leave?.()
    await turn()
    expect(log).toEqual(['a', 'b'])
  })

  it('refuses a request that has waited too long, with 429', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { ask, log, pass } = worldOf({ maxRequestsInFlight: 1, longestWaitMs: 100 })
    ask({ name: 'a' })
    ask({ name: 'b' })
    await turn()
    pass(100)
    vi.advanceTimersByTime(250)
    await turn()
    expect(log).toEqual(['a', 'b 429'])
  })

  it('drops requests whose client has disconnected', async () => {
    const { ask, log, gate } = worldOf({ requestsPerTurn: 1 })
    ask({ name: 'a' })
    const gone = [ask({ name: 'b' }), ask({ name: 'b' }), ask({ name: 'b' })]
    ask({ name: 'c' })
    for (const { exchange } of gone) exchange.gone.abort()
    await turn()
    expect(log.filter((entry) => !entry.startsWith('b'))).toEqual(['a', 'c'])
    await turn()
    const { waiting, refused, inPlace } = gate.levels.get('callers') ?? {}
    expect([waiting, refused, inPlace]).toEqual([0, 0, 2])
  })

  it('checks for administrators only when a caller has to wait', async () => {
    const isAdministrator = vi.fn(({ user }: Exchange) => user.name === 'cluster-admin')
    const { ask, log } = worldOf({ maxRequestsInFlight: 1 }, isAdministrator)
    ask({ name: 'a' })
    expect(isAdministrator).not.toHaveBeenCalled()
    ask({ name: 'b' })
    ask({ name: 'cluster-admin' })
    await turn()
    expect(log).toEqual(['a', 'cluster-admin'])
  })

  it('closes the connection of a caller that continues after refusals', async () => {
    const { ask } = worldOf({ maxRequestsInFlight: 1, refusalsPerSecond: 3 })
    const asked = Array.from({ length: 1 + 300 + 5 }, () => ask({ name: 'busy' }))
    await turn()
    const refused = asked.slice(301)
    expect(refused.map(({ exchange }) => exchange.endsConnection)).toEqual([false, false, false, true, true])
    const other = Array.from({ length: 1 + 300 }, () => ask({ name: 'other' }))
    expect(other.some(({ exchange }) => exchange.endsConnection)).toBe(false)
  })
})

describe('the next turn', () => {
  const masters = ['system:masters']
  it.each<[string, Asking, { user?: string; userGroups?: readonly string[]; isOnward?: boolean }, object]>([
    ['a stranger', { address: '192.0.2.1' }, {}, { level: 'strangers', owner: '192.0.2.1' }],
    ['a stranger by IPv6', { address: '2001:db8::1' }, {}, { level: 'strangers', owner: '2001:db8:0:0::/64' }],
    ['a probe', { url: '/livez' }, {}, { level: 'health', owner: '192.0.2.1' }],
    ['a probe of one check', { url: '/readyz/etcd', name: 'a' }, {}, { level: 'health' }],
    ['nearly a probe', { url: '/livezy', name: 'a' }, {}, { level: 'callers', owner: 'a' }],
    ['a caller', { name: 'a', key: 'k' }, {}, { level: 'callers', owner: 'a', key: 'k' }],
    ['an administrator', { name: 'a', groups: masters }, {}, { level: 'administrators', owner: 'a' }],
    ['a caller who acts as another', { name: 'a' }, { user: 'b' }, { level: 'callers', owner: 'a' }],
    [
      'an administrator who impersonates another user',
      { name: 'a', groups: masters },
      { user: 'b' },
      { level: 'callers', owner: 'b' },
    ],
    [
      'a caller who impersonates an administrator',
      { name: 'a' },
      { user: 'b', userGroups: masters },
      { level: 'callers', owner: 'a' },
    ],
    ['forwarded requests', { name: 'a', groups: masters }, { isOnward: true }, { level: 'proxied', owner: 'a' }],
  ])('of %s', (_name, asking, { user, userGroups = [], isOnward }, expected) => {
    const exchange = exchangeOf(asking)
    if (user !== undefined) exchange.user = { name: user, groups: userGroups }
    if (isOnward === true) exchange.onward = { target: { kind: 'cluster', cluster: 'c' }, url: '/version' }
    expect(flowOf(exchange)).toMatchObject(expected)
  })
})

/** A body that arrives on command. */
function arriving() {
  let arrive = (_bytes: number): boolean => true
  let end = (): void => {}
  const readBody = ({ goOn }: BodyLimit) =>
    new Promise<Buffer>((resolve) => {
      arrive = (bytes) => goOn?.(bytes) ?? true
      end = () => resolve(Buffer.alloc(0))
    })
  return { readBody, arrive: (bytes: number) => arrive(bytes), end: () => end() }
}

const limit = { maxBytes: 1_000, timeoutMs: 1_000 }
const small: BodyBudget = { bodiesPerOwner: 2, bodies: 4, bytes: 100 }

describe('pending bodies', () => {
  it('are limited for each owner, and the next one is refused and its connection closed', async () => {
    const bodies = new Bodies({ callers: small, strangers: small })
    const silent = () => exchangeOf({ name: 'a', readBody: () => new Promise(() => {}) })
    bodies.read(silent(), limit)
    bodies.read(silent(), limit)
    const third = silent()
    await expect(async () => bodies.read(third, limit)).rejects.toMatchObject({ code: 429 })
    expect(third.endsConnection).toBe(true)
    await expect(bodies.read(exchangeOf({ name: 'b' }), limit)).resolves.toHaveLength(0)
  })

  it('no longer count once they are complete', async () => {
    const bodies = new Bodies({ callers: small, strangers: small })
    for (let count = 0; count < 5; count++) await bodies.read(exchangeOf({ name: 'a' }), limit)
    expect([bodies.size, bodies.bytes]).toEqual([0, 0])
  })

  it('of strangers do not reduce those of callers', async () => {
    const bodies = new Bodies({ callers: small, strangers: { bodiesPerOwner: 1, bodies: 1, bytes: 10 } })
    bodies.read(exchangeOf({ readBody: () => new Promise(() => {}) }), limit)
    await expect(async () => bodies.read(exchangeOf({}), limit)).rejects.toMatchObject({ code: 429 })
    await expect(bodies.read(exchangeOf({ name: 'a' }), limit)).resolves.toHaveLength(0)
  })

  it('share memory: the caller with the most gives way', async () => {
    const bodies = new Bodies({ callers: small, strangers: small })
    const [large, little, late] = [arriving(), arriving(), arriving()]
    const lost = bodies.read(exchangeOf({ name: 'a', readBody: large.readBody }), limit)
    const kept = bodies.read(exchangeOf({ name: 'b', readBody: little.readBody }), limit)
    const newcomer = bodies.read(exchangeOf({ name: 'c', readBody: late.readBody }), limit)
    expect([large.arrive(80), little.arrive(15)]).toEqual([true, true])
    expect(late.arrive(10)).toBe(true)
    await expect(lost).rejects.toMatchObject({ code: 429 })
    expect(large.arrive(1)).toBe(false)
    expect(bodies.bytes).toBe(25)
    little.end()
    late.end()
    await Promise.all([kept, newcomer])
    expect([bodies.size, bodies.bytes]).toEqual([0, 0])
  })

  it('share a limit: the caller with the most gives way', async () => {
    const bodies = new Bodies({ callers: { ...small, bodies: 3 }, strangers: small })
    const silent = (name: string) => bodies.read(exchangeOf({ name, readBody: () => new Promise(() => {}) }), limit)
    const [first] = [silent('a'), silent('a'), silent('b'), silent('c')]
    await expect(first).rejects.toMatchObject({ code: 429 })
    expect(bodies.size).toBe(3)
  })
})

describe('a stream', () => {
  const flow = (owner: string) => flowOf(exchangeOf({ name: owner }))

  it('is limited for each caller and in total, and administrators have their own limit', () => {
    const open = new LongRunning({ maxOpen: 3, maxOpenPerCaller: 2 })
    const [end] = [open.begin(flow('a')), open.begin(flow('a'))]
    expect(() => open.begin(flow('a'))).toThrow('you have 2 watches and streams open already')
    open.begin(flow('b'))
    expect(() => open.begin(flow('b'))).toThrow('too many watches and streams are open on this server')
    const root = flowOf(exchangeOf({ name: 'root', groups: ['system:masters'] }))
    for (let count = 0; count < 3; count++) open.begin(root)
    expect(() => open.begin(root)).toThrow('too many')
    end?.()
    open.begin(flow('b'))
    expect(open.size).toBe(6)
  })

  it.each([
    ['/api/v1/pods?watch=1', true],
    ['/api/v1/namespaces/a/pods/b/log?follow=1', true],
    ['/api/v1/namespaces/a/pods/b/exec', true],
    ['/api/v1/namespaces/a/pods', false],
    ['/api/v1/namespaces/a/pods/b', false],
    ['/version', false],
  ])('is a request without an end: %s', (url, expected) => {
    expect(isLongRunning(exchangeOf({ url }))).toBe(expected)
  })
})
