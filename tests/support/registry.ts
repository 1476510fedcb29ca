import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kind } from '../../src/api/kind.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { Clock } from '../../src/base/clock.ts'
import { type Random, systemRandom } from '../../src/base/random.ts'
import type { Hooks } from '../../src/registry/context.ts'
import type { Resource, WatchEvent, WatchOptions, WriteRequest } from '../../src/registry/contract.ts'
import { ObjectRegistry } from '../../src/registry/registry.ts'
import type { Store } from '../../src/storage/contract.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'

export interface TestClock extends Clock {
  advance(ms: number): void
}

export function testClock(startMs = Date.UTC(2030, 0, 1)): TestClock {
  let nowMs = startMs
  return {
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms
    },
  }
}

export interface TestRegistry {
  readonly registry: ObjectRegistry
  readonly store: Store
  readonly clock: TestClock
  readonly directory: string
  resource(plural: string): Resource
  stop(): Promise<void>
}

/** A registry on a real embedded store in a separate folder. */
export async function startRegistry(
  kinds: readonly Kind[],
  options: {
    readonly hooks?: (kind: Kind, store: Store) => Hooks
    readonly directory?: string
    readonly random?: Random
  } = {},
): Promise<TestRegistry> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'tenant-registry-')))
  const store = await openLmdbStore({ directory })
  const clock = testClock()
  const registry = new ObjectRegistry({ store, clock, random: options.random ?? systemRandom })
  for (const kind of kinds) registry.add(kind, options.hooks?.(kind, store) ?? {})
  await registry.start()
  return {
    registry,
    store,
    clock,
    directory,
    resource: (plural) => {
      const found = registry.resources().find(({ kind }) => kind.plural === plural)
      if (found === undefined) throw new Error(`${plural} is not served`)
      return found
    },
    stop: async () => {
      await registry.stop()
      await store.close()
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
}

export function writeRequest(overrides: Partial<WriteRequest> = {}): WriteRequest {
  return {
    user: { name: 'tester', groups: ['system:authenticated'] },
    subresource: '',
    fieldManager: 'test',
    fieldValidation: 'Strict',
    dryRun: false,
    signal: new AbortController().signal,
    warn: () => {},
    authorize: () => ({ verdict: 'allow', reason: '' }),
    ...overrides,
  }
}

export function bodyOf(value: unknown): { value: unknown; duplicateFields: string[]; text: string } {
  return { value, duplicateFields: [], text: JSON.stringify(value) }
}

const tester = { name: 'tester', groups: ['system:authenticated'] }

export const listAll = {
  user: tester,
  labelSelector: '',
  fieldSelector: '',
  limit: 0,
  continue: '',
  resourceVersion: '',
  resourceVersionMatch: '',
  signal: new AbortController().signal,
}

export const latest = { user: tester, resourceVersion: '', signal: new AbortController().signal }

/** Collects what a watch delivers; `events(n)` resolves when there are that many. */
export function startWatch(resource: Resource, namespace: string, options: Partial<WatchOptions> = {}) {
  const stop = new AbortController()
  const seen: WatchEvent[] = []
  let wake = (): void => {}
  const ended = resource.watch(
    { namespace },
    {
      user: tester,
      labelSelector: '',
      fieldSelector: '',
      resourceVersion: '',
      resourceVersionMatch: '',
      allowWatchBookmarks: false,
      sendInitialEvents: undefined,
      signal: stop.signal,
      ...options,
    },
    {
      send: (events) => {
        seen.push(...events)
        wake()
        return true
      },
      drained: () => Promise.resolve(),
    },
  )
  return {
    seen,
    ended,
    stop: () => stop.abort(),
    events: async (count: number): Promise<readonly WatchEvent[]> => {
      while (seen.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return seen.slice(0, count)
    },
  }
}

/** `ADDED a`, `BOOKMARK`, and so on: the events in short form. */
export function inWords(events: readonly WatchEvent[]): readonly string[] {
  return events.map((event) => ('document' in event ? `${event.type} ${event.document.name}` : event.type))
}

export function configMap(name: string, data: Record<string, string> = {}, metadata: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', ...metadata }, data }
}

export function namespaceNamed(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}
