import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { coreKinds } from '../../src/api/core/kinds.ts'
import type { ApiError } from '../../src/api/error.ts'
import type { Resource } from '../../src/registry/contract.ts'
import {
  bodyOf,
  configMap,
  inWords,
  listAll,
  namespaceNamed,
  startRegistry,
  startWatch,
  type TestRegistry,
  writeRequest,
} from '../support/registry.ts'

const minute = 60_000

let world: TestRegistry
let configMaps: Resource
const inDefault = { namespace: 'default' }

beforeEach(async () => {
  world = await startRegistry(coreKinds())
  configMaps = world.resource('configmaps')
  for (const name of ['default', 'other']) {
    await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed(name)), writeRequest())
  }
})

afterEach(async () => {
  vi.useRealTimers()
  await world.stop()
})

async function create(name: string, labels?: Record<string, string>, namespace = 'default'): Promise<string> {
  const object = configMap(name, {}, { namespace, ...(labels === undefined ? {} : { labels }) })
  const { document } = await configMaps.create({ namespace }, bodyOf(object), writeRequest())
  return document.resourceVersion
}

const relabel = (name: string, labels: Record<string, string | null>) =>
  configMaps.patch({ ...inDefault, name }, { type: 'merge', body: bodyOf({ metadata: { labels } }) }, writeRequest())

const remove = (name: string) => configMaps.delete({ ...inDefault, name }, { dryRun: false }, writeRequest())

const names = (answer: { documents: readonly { name: string }[] }) => answer.documents.map(({ name }) => name)

describe('list', () => {
  it('is ordered, and confined to its namespace', async () => {
    await create('b')
    await create('a')
    await create('c', undefined, 'other')
    expect(names(await configMaps.list(inDefault, listAll))).toEqual(['a', 'b'])
    expect(names(await configMaps.list({ namespace: '' }, listAll))).toEqual(['a', 'b', 'c'])
  })

  it('pages through one state, whatever happens meanwhile', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name)
    const first = await configMaps.list(inDefault, { ...listAll, limit: 2 })
    expect([names(first), first.remainingItemCount]).toEqual([['a', 'b'], 3])
    await remove('c')
    await create('bb')
    const second = await configMaps.list(inDefault, { ...listAll, limit: 2, continue: first.continue ?? '' })
    expect([names(second), second.remainingItemCount]).toEqual([['c', 'd'], 1])
    expect(second.resourceVersion).toBe(first.resourceVersion)
    const third = await configMaps.list(inDefault, { ...listAll, limit: 2, continue: second.continue ?? '' })
    expect([names(third), third.continue]).toEqual([['e'], undefined])
  })

  it('reads an exact revision of the past', async () => {
    const revision = await create('a')
    await create('b')
    const past = { ...listAll, resourceVersion: revision, resourceVersionMatch: 'Exact' }
    expect(names(await configMaps.list(inDefault, past))).toEqual(['a'])
  })

  it('returns 410 when that revision is compacted', async () => {
    const revision = await create('a')
    await create('b')
    await world.store.compact(await world.store.currentRevision())
    const past = configMaps.list(inDefault, { ...listAll, resourceVersion: revision, resourceVersionMatch: 'Exact' })
    await expect(past).rejects.toMatchObject({ status: { code: 410, reason: 'Expired' } })
  })

  it('cannot continue a list from a revision that the store has compacted', async () => {
    await world.stop()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    world = await startRegistry(coreKinds())
    configMaps = world.resource('configmaps')
    await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
    for (const name of ['a', 'b', 'c']) await create(name)
    const first = await configMaps.list(inDefault, { ...listAll, limit: 1 })
    const next = () => configMaps.list(inDefault, { ...listAll, limit: 1, continue: first.continue ?? '' })
    await create('bb')
    vi.advanceTimersByTime(5 * minute)
    expect(names(await next())).toEqual(['b'])
    vi.advanceTimersByTime(2 * minute)
    const refusal = await vi.waitFor(async () => {
      const error: unknown = await next().catch((reason) => reason)
      expect(error).toMatchObject({ status: { code: 410, reason: 'Expired' } })
      return error as ApiError
    })
    const rest = await configMaps.list(inDefault, { ...listAll, continue: refusal.status.metadata?.continue ?? '' })
    expect(names(rest)).toEqual(['b', 'bb', 'c'])
  })

  it.each([
    ['tier=web', '', ['a']],
    ['tier!=web', '', ['b', 'c']],
    ['tier in (web,db)', '', ['a', 'b']],
    ['!tier', '', ['c']],
    ['', 'metadata.name=b', ['b']],
    ['tier', 'metadata.name!=b', ['a']],
  ])('selects by labels %s and fields %s', async (labelSelector, fieldSelector, expected) => {
    await create('a', { tier: 'web' })
    await create('b', { tier: 'db' })
    await create('c')
    expect(names(await configMaps.list(inDefault, { ...listAll, labelSelector, fieldSelector }))).toEqual(expected)
  })
})

describe('watch', () => {
  it('starts with existing objects and continues with changes', async () => {
    await create('a')
    const watch = startWatch(configMaps, 'default')
    await watch.events(1)
    await create('b')
    await relabel('a', { x: '1' })
    await remove('b')
    expect(inWords(await watch.events(4))).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b'])
    watch.stop()
    await watch.ended
  })

  it('reports only changes after the revision it starts from', async () => {
    const revision = await create('a')
    await create('b')
    const watch = startWatch(configMaps, 'default', { resourceVersion: revision })
    expect(inWords(await watch.events(1))).toEqual(['ADDED b'])
    watch.stop()
  })

  it('delivers a long history in parts that yield to other work', async () => {
    const revision = await create('a')
    const large = { text: 'x'.repeat(150_000) }
    for (const name of ['b', 'c', 'd', 'e', 'f']) {
      await configMaps.create(inDefault, bodyOf(configMap(name, large)), writeRequest())
    }
    let rests = 0
    const rest = async () => {
      rests++
    }
    const watch = startWatch(configMaps, 'default', { resourceVersion: revision, pacing: { isDue: () => true, rest } })
    expect(inWords(await watch.events(5))).toEqual(['ADDED b', 'ADDED c', 'ADDED d', 'ADDED e', 'ADDED f'])
    expect(rests).toBeGreaterThanOrEqual(5)
    watch.stop()
  })

  it('shows a deletion with the last content and the revision of the deletion', async () => {
    const revision = await create('a', { x: '1' })
    await remove('a')
    const watch = startWatch(configMaps, 'default', { resourceVersion: revision })
    const [event] = await watch.events(1)
    if (event === undefined || !('document' in event)) throw new Error('no change was delivered')
    expect(event.document.object.metadata.labels).toEqual({ x: '1' })
    expect(Number(event.document.resourceVersion)).toBeGreaterThan(Number(revision))
    watch.stop()
  })

  it('reports to a watcher with a selector when objects start and stop matching', async () => {
    await create('a', { tier: 'web' })
    const watch = startWatch(configMaps, 'default', { labelSelector: 'tier=web' })
    await watch.events(1)
    await create('b', { tier: 'db' })
    await relabel('b', { tier: 'web' })
    await relabel('a', { tier: 'db' })
    await relabel('a', { other: 'x' })
    await remove('b')
    expect(inWords(await watch.events(4))).toEqual(['ADDED a', 'ADDED b', 'DELETED a', 'DELETED b'])
    watch.stop()
  })

  it('marks the end of the initial events', async () => {
    await create('a')
    const watch = startWatch(configMaps, 'default', {
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    })
    const events = await watch.events(2)
    expect(inWords(events)).toEqual(['ADDED a', 'BOOKMARK'])
    expect(events[1]).toMatchObject({ initialEventsEnd: true })
    watch.stop()
  })

  it('marks it, too, for a client with bookmarks and without a revision, as in Kubernetes 1.32', async () => {
    await create('a')
    const watch = startWatch(configMaps, 'default', { allowWatchBookmarks: true })
    const events = await watch.events(2)
    expect(inWords(events)).toEqual(['ADDED a', 'BOOKMARK'])
    expect(events[1]).toMatchObject({ initialEventsEnd: true })
    watch.stop()
  })

  it.each([
    ['takes no bookmarks', () => ({})],
    ['resumes from a revision', (resourceVersion: string) => ({ resourceVersion, allowWatchBookmarks: true })],
  ])('does not mark it for a client that %s', async (_what, asked) => {
    const revision = await create('a')
    const watch = startWatch(configMaps, 'default', asked(revision))
    await create('b')
    await create('c')
    const seen = inWords(await watch.events(2))
    expect(seen.filter((word) => word.startsWith('BOOKMARK'))).toEqual([])
    watch.stop()
  })

  it('ends with a 410 when its revision is compacted', async () => {
    const revision = await create('a')
    await create('b')
    await world.registry.stop()
    await world.store.compact(await world.store.currentRevision())
    const directory = world.directory
    await world.store.close()
    const again = await startRegistry(coreKinds(), { directory })
    const watch = startWatch(again.resource('configmaps'), 'default', { resourceVersion: revision })
    expect((await watch.events(1))[0]).toMatchObject({ type: 'ERROR', status: { code: 410, reason: 'Expired' } })
    await watch.ended
    await again.stop()
    await rm(directory, { recursive: true })
    world = await startRegistry(coreKinds())
  })

  it('resumes after a restart without missing anything', async () => {
    const revision = await create('a')
    await create('b')
    await remove('a')
    await world.registry.stop()
    const directory = world.directory
    await world.store.close()
    const again = await startRegistry(coreKinds(), { directory })
    const watch = startWatch(again.resource('configmaps'), 'default', { resourceVersion: revision })
    expect(inWords(await watch.events(2))).toEqual(['ADDED b', 'DELETED a'])
    watch.stop()
    await again.stop()
    await rm(directory, { recursive: true })
    world = await startRegistry(coreKinds())
  })

  it('delivers the same events in the same order to every watcher, however many clients write', async () => {
    const watches = Array.from({ length: 5 }, () => startWatch(configMaps, 'default'))
    const writers = Array.from({ length: 10 }, async (_, writer) => {
      for (let index = 0; index < 10; index += 1) await create(`w${writer}-${index}`)
    })
    await Promise.all(writers)
    const seen = await Promise.all(watches.map((watch) => watch.events(100)))
    const versions = seen.map((events) =>
      events.map((event) => ('document' in event ? Number(event.document.resourceVersion) : 0)),
    )
    for (const each of versions) expect(each).toEqual([...each].sort((left, right) => left - right))
    expect(new Set(versions.map((each) => each.join())).size).toBe(1)
    for (const watch of watches) watch.stop()
  })
})
