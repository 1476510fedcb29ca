import type { KubeObject } from '../api/objects.ts'
import type { ApiProblem } from '../api/problem.ts'

export interface Change<T extends KubeObject> {
  readonly type: 'put' | 'remove'
  readonly object: T
}

/**
 * `loading` until everything was listed once; `live` while changes arrive; `interrupted` while the connection is down,
 * so that data on the screen may be outdated; `refused` when the platform refused.
 */
export type LiveState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'live' }
  | { readonly phase: 'interrupted'; readonly problem: unknown }
  | { readonly phase: 'refused'; readonly problem: ApiProblem }

/** Receives the objects of a list and of the watch after it. */
export interface Sink<T extends KubeObject> {
  /** A part of a list; `isFirst` begins a new one. */
  listed(objects: readonly T[], isFirst: boolean): void
  /** The list is complete: objects that it did not contain were deleted. */
  listEnded(): void
  changed(changes: readonly Change<T>[]): void
  state(state: LiveState): void
}
