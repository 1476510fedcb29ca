import { useSyncExternalStore } from 'react'
import type { KubeObject } from '../api/objects.ts'
import type { Snapshot } from './collection.ts'
import { collectionAt, isInterrupted, onInterruption } from './collections.ts'

/** All objects at a path of the API, live. The platform has held them against the schema of their kind. */
export function useLive<T extends KubeObject>(path: string): Snapshot<T> {
  const collection = collectionAt<T>(path)
  return useSyncExternalStore(collection.subscribe, collection.snapshot)
}

/** One object, live; undefined when it is not there, or not yet. */
export function useLiveObject<T extends KubeObject>(path: string): Snapshot<T> & { readonly object: T | undefined } {
  const snapshot = useLive<T>(path)
  return { ...snapshot, object: snapshot.objects[0] }
}

export function useInterrupted(): boolean {
  return useSyncExternalStore(onInterruption, isInterrupted)
}
