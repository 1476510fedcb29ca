import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer } from '../../support/clusters/api-server.ts'
import { startKubernetes } from '../../support/clusters/kubernetes.ts'
import { findKubernetes } from '../../support/clusters/kubernetes-programs.ts'
import { eventually } from '../../support/eventually.ts'
import { isRealRequired } from '../../sync/support/pairings.ts'
import { storePlace } from './support/engine-stores.ts'
import { OwnerClient, type Seen, type Served } from './support/owners.ts'

const hold = 'example.com/hold'

interface World extends Served {
  stop(): Promise<void>
}

async function ours(store: 'embedded' | 'etcd'): Promise<World> {
  const place = await storePlace(store)
  const opened = await place.open()
  const server = await startTestServer({ store: opened })
  return {
    url: server.url,
    token: 'admin-token',
    authority: server.authority,
    stop: async () => {
      await server.stop()
      await opened.close()
      await place.remove()
    },
  }
}

const search = findKubernetes()
const isMissing = search.outcome === 'missing' && !isRealRequired()

/** Our controller must do what the real one does, except wait forever. */
async function real(): Promise<World> {
  if (search.outcome === 'missing') throw new Error(search.reason)
  const server = await startKubernetes(search.programs)
  await server.startControllers('garbagecollector')
  return { url: server.url, token: server.token, authority: server.authority, stop: server.remove }
}

const worlds: readonly [string, () => Promise<World>][] = [
  ['on the embedded store', () => ours('embedded')],
  ['on etcd', () => ours('etcd')],
  ...(isMissing ? [] : [['in kube-controller-manager', real] satisfies [string, () => Promise<World>]]),
]

describe.each(worlds)('cycles of owners, %s', (where, start) => {
  let world: World
  let client: OwnerClient
  beforeAll(async () => {
    world = await start()
    client = new OwnerClient(world)
    // The real controller needs some time to learn of a kind.
    const owner = await client.create('first')
    const dependent = await client.create('second')
    await client.own(dependent, [owner])
    await client.delete(owner, 'Foreground')
    await client.untilGone([owner, dependent])
  })
  afterAll(async () => {
    await client?.close()
    await world?.stop()
  })
  const isReal = where.includes('kube')

  test.each([
    ['Foreground', true, 2],
    ['Foreground', true, 3],
    ['Foreground', true, 7],
    ['Foreground', false, 1],
    ['Foreground', false, 2],
    ['Background', true, 1],
    ['Background', true, 2],
    ['Background', false, 3],
  ] as const)('a cycle is deleted: propagation %s, blocking %s, length %i', async (policy, block, length) => {
    const names = Array.from({ length }, (_, index) => `${policy.toLowerCase()}-${block}-${length}-${index}`)
    const made = await client.cycle(names, { block })
    const [first] = made
    if (first !== undefined) await client.delete(first, policy)
    await client.untilGone(made)
  })

  test('a cycle across kinds is deleted', async () => {
    const made = await client.cycle(['config', 'secret', 'other'], { kinds: ['ConfigMap', 'Secret', 'ConfigMap'] })
    const [, secret] = made
    if (secret !== undefined) await client.delete(secret, 'Foreground')
    await client.untilGone(made)
  })

  test('a cycle waits only for a dependent with a finalizer, and is deleted after it', async () => {
    const [asked, other] = await two('held')
    const held = await client.create('held-from-outside')
    await client.own(held, [other], { finalizers: [hold] })
    await client.delete(asked, 'Foreground')
    await client.untilGone([asked])
    await eventually(async () =>
      expect(await client.find(other)).toMatchObject({
        isBeingDeleted: true,
        finalizers: ['foregroundDeletion'],
        owners: [[asked.name, false]],
      }),
    )
    await eventually(async () => expect(await client.find(held)).toMatchObject({ isBeingDeleted: true }))
    await client.release(held)
    await client.untilGone([other, held])
  })

  test('a dependent with a finalizer blocks both objects of the cycle', async () => {
    const [asked, other] = await two('kept')
    const held = await client.create('kept-from-outside')
    await client.own(held, [asked], { finalizers: [hold] })
    await client.delete(asked, 'Foreground')
    await eventually(async () => {
      expect(await client.find(other)).toMatchObject({ isBeingDeleted: true, owners: [[asked.name, false]] })
      expect(await client.find(held)).toMatchObject({ isBeingDeleted: true })
    }, 240_000)
    expect(await client.find(asked)).toMatchObject({ isBeingDeleted: true, owners: [[other.name, true]] })
    await client.release(held)
    await client.untilGone([asked, other, held])
  })

  test('an owner outside the cycle does not keep it', async () => {
    const [asked, other] = await two('owned')
    const outside = await client.create('outside')
    await client.own(asked, [other, outside])
    await client.delete(asked, 'Foreground')
    await client.untilGone([asked, other])
    expect(await client.find(outside)).toMatchObject({ isBeingDeleted: false })
  })

  test('with Orphan the other objects stay and lose the deleted owner', async () => {
    const [asked, next, last] = await client.cycle(['orphan-a', 'orphan-b', 'orphan-c'])
    if (asked === undefined || next === undefined || last === undefined) throw new Error('nothing was made')
    await client.delete(asked, 'Orphan')
    await client.untilGone([asked])
    await eventually(async () => expect(await client.find(last)).toMatchObject({ isBeingDeleted: false, owners: [] }))
    expect(await client.find(next)).toMatchObject({ isBeingDeleted: false, owners: [[last.name, true]] })
  })

  test.skipIf(isReal)('an object that owns itself is deleted (in Kubernetes it stays for good)', async () => {
    const made = await client.cycle(['myself'])
    for (const each of made) await client.delete(each, 'Foreground')
    await client.untilGone(made)
  })

  test.skipIf(isReal)('a cycle is deleted if all of its objects are (in Kubernetes it stays for good)', async () => {
    const made = await client.cycle(['all-a', 'all-b', 'all-c'])
    await Promise.all(made.map((each) => client.delete(each, 'Foreground')))
    await client.untilGone(made)
  })

  test.skipIf(isReal)('many cycles with common objects are deleted', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, (_, index) => client.create(`web-${index}`)))
    for (const each of made) await client.own(each, made)
    await Promise.all(made.map((each) => client.delete(each, 'Foreground')))
    await client.untilGone(made)
  })

  async function two(name: string): Promise<readonly [Seen, Seen]> {
    const [asked, other] = await client.cycle([`${name}-a`, `${name}-b`])
    if (asked === undefined || other === undefined) throw new Error('nothing was made')
    return [asked, other]
  }
})
