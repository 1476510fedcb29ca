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

export function createServed(transport: Transport, clock: Clock): ServedResources {
  let known: Known | undefined
  let reading: Promise<Known> | undefined

  /** Concurrent callers share one answer; a caller that gives up does not cancel it for the others. */
  const read = (): Promise<Known> => {
    const readAtMs = clock.now()
    const started = readServed(transport).then((read) => ({ ...read, readAtMs }))
    reading = started
    const settle = (result: Known | undefined) => {
      if (reading !== started) return
      reading = undefined
      known = result ?? known
    }
    started.then(settle, () => settle(undefined))
    return started
  }

  const recent = async (maxAgeMs: number, signal?: AbortSignal): Promise<Known> => {
    signal?.throwIfAborted()
    const ageMs = known === undefined ? undefined : clock.now() - known.readAtMs
    if (known !== undefined && ageMs !== undefined && ageMs >= 0 && ageMs < maxAgeMs) return known
    return unlessAborted(reading ?? read(), signal)
  }

  /** Throws if a version that could not be read may contain it, because that does not mean it is not served. */
  const search = async (
    matches: (type: ResourceType) => boolean,
    mayBeIn: (apiVersion: string) => boolean,
    signal?: AbortSignal,
  ): Promise<readonly ResourceType[]> => {
    const found = (await recent(goodForMs, signal)).types.filter(matches)
    if (found.length > 0) return found
    const { types, unread } = await recent(missesGoodForMs, signal)
    const foundNow = types.filter(matches)
    const hidden = unread.find(({ apiVersion }) => mayBeIn(apiVersion))
    if (foundNow.length === 0 && hidden !== undefined) throw hidden.error
    return foundNow
  }

  const findVersions = (group: string, resource: string, signal?: AbortSignal) =>
    search(
      (type) => type.group === group && type.resource === resource,
      (apiVersion) => parseApiVersion(apiVersion).group === group,
      signal,
    )

  return {
    find: async (group, resource, signal) => (await findVersions(group, resource, signal))[0],
    findVersions,
    findKind: async (apiVersion, kind, signal) => {
      const matches = (type: ResourceType) => type.kind === kind && apiVersionOf(type) === apiVersion
      return (await search(matches, (unread) => unread === apiVersion, signal))[0]
    },
    findKindOfGroup: async (group, kind, signal) => {
      const matches = (type: ResourceType) => type.kind === kind && type.group === group
      return (await search(matches, (unread) => parseApiVersion(unread).group === group, signal))[0]
    },
    findPlural: async (resource, signal) =>
      preferred(
        await search(
          (type) => type.resource === resource,
          () => true,
          signal,
        ),
      ),
    forget: () => {
      known = undefined
      reading = undefined
    },
  }
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
