import { apiVersionOf, parseApiVersion } from '../../api/object.ts'
import type { Clock } from '../../base/clock.ts'
import type { ResourceType, ServedResources } from '../contract.ts'
import type { Transport } from '../transport/contract.ts'
import { type ReadTypes, readServed } from './read.ts'

const goodForMs = 10 * 60_000
/** A missing resource may have been installed since, so negative answers expire sooner. */
const missesGoodForMs = 10_000

interface Known extends ReadTypes {
  readonly readAtMs: number
}

/** Remembers for a while what the server said it serves. */
export class DiscoveredResources implements ServedResources {
  readonly #transport: Transport
  readonly #clock: Clock
  #known: Known | undefined
  #reading: Promise<Known> | undefined

  constructor(transport: Transport, clock: Clock) {
    this.#transport = transport
    this.#clock = clock
  }

  async find(group: string, resource: string, signal?: AbortSignal): Promise<ResourceType | undefined> {
    return (await this.findVersions(group, resource, signal))[0]
  }

  findVersions(group: string, resource: string, signal?: AbortSignal): Promise<readonly ResourceType[]> {
    const matches = (type: ResourceType) => type.group === group && type.resource === resource
    return this.#search(matches, isOfGroup(group), signal)
  }

  async findKind(apiVersion: string, kind: string, signal?: AbortSignal): Promise<ResourceType | undefined> {
    const matches = (type: ResourceType) => type.kind === kind && apiVersionOf(type) === apiVersion
    return (await this.#search(matches, (unread) => unread === apiVersion, signal))[0]
  }

  async findKindOfGroup(group: string, kind: string, signal?: AbortSignal): Promise<ResourceType | undefined> {
    const matches = (type: ResourceType) => type.kind === kind && type.group === group
    return (await this.#search(matches, isOfGroup(group), signal))[0]
  }

  async findPlural(resource: string, signal?: AbortSignal): Promise<readonly ResourceType[]> {
    const matches = (type: ResourceType) => type.resource === resource
    return preferred(await this.#search(matches, () => true, signal))
  }

  forget(olderThanMs = 0): void {
    const { readAtMs } = this.#known ?? { readAtMs: 0 }
    if (olderThanMs > 0 && (this.#reading !== undefined || this.#isRecent(readAtMs, olderThanMs))) return
    this.#known = undefined
    this.#reading = undefined
  }

  /** Throws if a version that could not be read may contain it, because that does not mean it is not served. */
  async #search(
    matches: (type: ResourceType) => boolean,
    mayBeIn: (apiVersion: string) => boolean,
    signal?: AbortSignal,
  ): Promise<readonly ResourceType[]> {
    const found = (await this.#recent(goodForMs, signal)).types.filter(matches)
    if (found.length > 0) return found
    const { types, unread } = await this.#recent(missesGoodForMs, signal)
    const foundNow = types.filter(matches)
    const hidden = unread.find(({ apiVersion }) => mayBeIn(apiVersion))
    if (foundNow.length === 0 && hidden !== undefined) throw hidden.error
    return foundNow
  }

  async #recent(maxAgeMs: number, signal?: AbortSignal): Promise<Known> {
    signal?.throwIfAborted()
    const known = this.#known
    if (known !== undefined && this.#isRecent(known.readAtMs, maxAgeMs)) return known
    return unlessAborted(this.#reading ?? this.#read(), signal)
  }

  #isRecent(atMs: number, maxAgeMs: number): boolean {
    const ageMs = this.#clock.now() - atMs
    return ageMs >= 0 && ageMs < maxAgeMs
  }

  /** Concurrent callers share one answer; a caller that gives up does not cancel it for the others. */
  #read(): Promise<Known> {
    const readAtMs = this.#clock.now()
    const started = readServed(this.#transport).then((read) => ({ ...read, readAtMs }))
    this.#reading = started
    const settle = (result: Known | undefined) => {
      if (this.#reading !== started) return
      this.#reading = undefined
      this.#known = result ?? this.#known
    }
    started.then(settle, () => settle(undefined))
    return started
  }
}

function isOfGroup(group: string): (apiVersion: string) => boolean {
  return (apiVersion) => parseApiVersion(apiVersion).group === group
}

/** The first of each group: versions are in the server's order of preference. */
function preferred(types: readonly ResourceType[]): readonly ResourceType[] {
  const first = new Map<string, ResourceType>()
  for (const type of types) if (!first.has(type.group)) first.set(type.group, type)
  return [...first.values()]
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
