import { useSyncExternalStore } from 'react'
import type { KubeObject } from '../api/objects.ts'
import type { Fetched } from '../fetched/fetched.ts'
import { collectionAt, isInterrupted, onInterruption } from './collections.ts'

/**
 * All objects at an API path, live. The platform has checked them against the schema of their kind. While a connection
 * is interrupted, they are the last known ones, and a banner on the page says so.
 */
export function useLive<T extends KubeObject>(path: string): Fetched<readonly T[]> {
  const collection = collectionAt<T>(path)
  return useSyncExternalStore(collection.subscribe, collection.snapshot)
}

export function useInterrupted(): boolean {
  return useSyncExternalStore(onInterruption, isInterrupted)
}
