import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { event } from '../../src/api/core/events/event.ts'
import { namespace } from '../../src/api/core/namespace.ts'
import { managementKinds } from '../../src/api/management/kinds.ts'
import { eventExpiry, graceExpiry } from '../../src/cluster/controllers/cluster-objects.ts'
import type { ResourceContext } from '../../src/registry/context.ts'
import { ExpiryController } from '../../src/registry/controllers/expiry.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'

let world: TestRegistry
let expiry: ExpiryController
const failures: unknown[] = []
const hour = 3_600_000

beforeEach(async () => {
  world = await startRegistry([namespace, event, ...managementKinds('example.com')])
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
  failures.length = 0
  const rules = [
    { context: contextOf('', 'Event'), expiresAt: eventExpiry },
    { context: contextOf('management.example.com', 'OwnedAccessKey'), expiresAt: graceExpiry },
  ]
  expiry = new ExpiryController(rules, hour, (_, __, error) => failures.push(error))
})

afterEach(async () => {
  await expiry.stop()
  await world.stop()
  expect(failures).toEqual([])
})

function contextOf(group: string, kind: string): ResourceContext {
  const context = world.registry.engine.find(group, kind)
  if (context === undefined) throw new Error(`${kind} is not served`)
  return context
}

const count = (group: string, kind: string): number => contextOf(group, kind).cache.size

async function createEvent(name: string): Promise<void> {
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' }
  const lastTimestamp = new Date(world.clock.now()).toISOString().replace('.000', '')
  const object = { metadata: { name, namespace: 'default' }, involvedObject, reason: 'R', message: 'm', lastTimestamp }
  await world.resource('events').create({ namespace: 'default' }, bodyOf(object), writeRequest())
}

describe('an expired object', () => {
  it('is deleted: an Event an hour after its last occurrence', async () => {
    await createEvent('old')
    world.clock.advance(hour / 2)
    await createEvent('young')
    world.clock.advance(hour / 2)
    await expiry.sweep()
    expect([...contextOf('', 'Event').cache.current().values()].map(({ name }) => name)).toEqual(['young'])
  })

  it('is deleted: an object at the end of its grace period', async () => {
    const keys = world.resource('ownedaccesskeys')
    const key = { apiVersion: 'management.example.com/v1', kind: 'OwnedAccessKey', metadata: { name: 'k' }, spec: {} }
    await keys.create({ namespace: '' }, bodyOf(key), writeRequest())
    const target = { namespace: '', name: 'k' }
    await keys.delete(target, { gracePeriodSeconds: 60, dryRun: false }, writeRequest())
    world.clock.advance(59_000)
    await expiry.sweep()
    expect(count('management.example.com', 'OwnedAccessKey')).toBe(1)
    world.clock.advance(1_000)
    await expiry.sweep()
    expect(count('management.example.com', 'OwnedAccessKey')).toBe(0)
  })

  it('stays while it has a finalizer', async () => {
    const keys = world.resource('ownedaccesskeys')
    const metadata = { name: 'k', finalizers: ['example.com/hold'] }
    const key = { apiVersion: 'management.example.com/v1', kind: 'OwnedAccessKey', metadata, spec: {} }
    await keys.create({ namespace: '' }, bodyOf(key), writeRequest())
    await keys.delete({ namespace: '', name: 'k' }, { dryRun: false }, writeRequest())
    world.clock.advance(hour)
    await expiry.sweep()
    expect(count('management.example.com', 'OwnedAccessKey')).toBe(1)
  })
})
