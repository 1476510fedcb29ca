import type { KubeObject } from '../../api/object.ts'
import type { Amounts } from '../amounts.ts'

/** One condition of a quota on the objects that it counts. */
export interface ScopeRequirement {
  readonly scopeName: string
  readonly operator: string
  readonly values?: readonly string[]
}

/** Whether an object fulfills a condition. It keeps what conditions ask, and not the object. */
export type IsInScope = (requirement: ScopeRequirement) => boolean

/** How objects of one kind count. */
export interface Evaluator {
  /** Whether it says how much there is of something that a quota limits. */
  measures(name: string): boolean
  usage(object: KubeObject): Amounts
  /** The names of which every object uses one and that is all: then none has to be read. */
  readonly onlyCounts?: readonly string[]
  /** Whether an object may come to use more after it was created. */
  readonly grows: boolean
  /** The subresource by which alone it may, if it does not grow otherwise. */
  readonly growsUnder?: string
  /** What an object has to say itself where a quota limits it; undefined if it says all of it. */
  missing?(object: KubeObject, limited: readonly string[]): string | undefined
  /** Absent: no object of the kind is in any scope. */
  scopesOf?(object: KubeObject): IsInScope
}
