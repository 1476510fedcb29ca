import { afterEach, beforeEach, expect, it } from 'vitest'
import { lease } from '../../src/api/core/lease.ts'
import { namespace } from '../../src/api/core/namespace.ts'
import { silentLog } from '../../src/base/log.ts'
import { whileLeading } from '../../src/controllers/run/leading.ts'
import type { ResourceContext } from '../../src/registry/context.ts'
import type { Controller } from '../../src/registry/controllers/controller.ts'
import type { Store } from '../../src/storage/contract.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'

let world: TestRegistry
let running: string[]
/** How often a replica asked for the latest state, to see whether the lease is free. */
let questions = 0

beforeEach(async () => {
  running = []
  world = await startRegistry([namespace, lease])
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('kube-system')), writeRequest())
})

afterEach(() => world.stop())

it('one of several replicas runs the controllers, and another takes over when it stops', async () => {
  const first = replica('first', sharedLeases())
  await eventually(() => expect(running).toEqual(['first']))
  const second = replica('second', sharedLeases())
  const before = questions
  await eventually(() => expect(questions).toBeGreaterThan(before + 5))
  expect(running).toEqual(['first'])
  await first.stop()
  await eventually(() => expect(running).toEqual(['second']))
  await second.stop()
  expect(running).toEqual([])
})

it('a replica whose controllers fail to start releases the lease, and retries', async () => {
  let tries = 0
  const stumbling = replica('first', sharedLeases(), () => {
    tries += 1
    if (tries === 1) throw new Error('not yet')
  })
  await eventually(() => expect(running).toEqual(['first']))
  expect(tries).toBe(2)
  await stumbling.stop()
})

it('with a single writer, controllers start at once and without a lease', async () => {
  const only = replica('only', leases())
  expect(running).toEqual(['only'])
  await only.stop()
  expect([running, leaseNow()]).toEqual([[], undefined])
})

function replica(name: string, context: ResourceContext, before: () => void = () => {}): Controller {
  return whileLeading({
    leases: context,
    name: 'workloads',
    log: silentLog,
    times: { leaseSeconds: 300, holdSeconds: 200, retrySeconds: 0.02 },
    start: () => {
      before()
      running.push(name)
      return {
        stop: async () => {
          running = running.filter((each) => each !== name)
        },
      }
    },
  })
}

function leases(): ResourceContext {
  const context = world.registry.engine.find('coordination.k8s.io', 'Lease')
  if (context === undefined) throw new Error('Leases are not served')
  return context
}

/** Behaves as if others also wrote to the store. */
function sharedLeases(): ResourceContext {
  const context = leases()
  const store: Store = new Proxy(context.engine.store, {
    get: (target, property) => {
      if (property === 'soleWriter') return false
      if (property === 'currentRevision') questions++
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...context, engine: { ...context.engine, store } }
}

function leaseNow(): unknown {
  const found = leases().cache.get({ namespace: 'kube-system', name: 'workloads' })
  return found && Object(found.object.spec).holderIdentity
}
