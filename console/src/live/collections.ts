import type { KubeObject } from '../api/objects.ts'
import { LiveCollection } from './collection.ts'

const collections = new Map<string, LiveCollection<KubeObject>>()
const listeners = new Set<() => void>()

/** The collection at a path, shared by all callers. */
export function collectionAt<T extends KubeObject>(path: string): LiveCollection<T> {
  // The caller knows which kind is at the path.
  const known = collections.get(path) as LiveCollection<T> | undefined
  if (known !== undefined) return known
  const made = new LiveCollection<T>(path, () => {
    for (const listener of listeners) listener()
  })
  collections.set(path, made)
  return made
}

const connectionEvents = ['online', 'offline'] as const

/** Whether anything on the screen may be outdated. */
export function isInterrupted(): boolean {
  return (
    (!navigator.onLine && !isOnThisMachine()) ||
    [...collections.values()].some((collection) => collection.isInterrupted)
  )
}

/** A platform on this machine is reached without a network. */
function isOnThisMachine(): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/.test(window.location.hostname)
}

export function onInterruption(listener: () => void): () => void {
  listeners.add(listener)
  for (const event of connectionEvents) window.addEventListener(event, listener)
  return () => {
    listeners.delete(listener)
    for (const event of connectionEvents) window.removeEventListener(event, listener)
  }
}

/** Called when another user signs in: no data of the previous user may stay. */
export function forgetCollections(): void {
  for (const collection of collections.values()) collection.close()
  collections.clear()
  for (const listener of listeners) listener()
}
