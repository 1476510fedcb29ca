import type { KubeObject } from '../api/objects.ts'
import type { ApiProblem } from '../api/problem.ts'

export interface Change<T extends KubeObject> {
  readonly type: 'put' | 'remove'
  readonly object: T
}

/**
 * `loading` until everything was listed once; `live` while changes arrive; `interrupted` while the connection is down:
 * what is shown may be old; `refused` when the platform said no.
 */
export type LiveState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'live' }
  | { readonly phase: 'interrupted'; readonly problem: unknown }
  | { readonly phase: 'refused'; readonly problem: ApiProblem }

/** Takes what a list and the watch after it say. */
export interface Sink<T extends KubeObject> {
  /** A part of a list; `isFirst` begins a new one. */
  listed(objects: readonly T[], isFirst: boolean): void
  /** The list is over: what it did not name is gone. */
  listEnded(): void
  changed(changes: readonly Change<T>[]): void
  state(state: LiveState): void
}
