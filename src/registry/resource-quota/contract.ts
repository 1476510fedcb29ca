import type { KubeObject } from '../../api/object.ts'
import type { Amounts } from '../amounts.ts'

/** One condition of a quota on the objects that it counts. */
export interface ScopeRequirement {
  readonly scopeName: string
  readonly operator: string
  readonly values?: readonly string[]
}

/** Whether an object fulfills a condition. The function retains only what conditions need, not the object. */
export type IsInScope = (requirement: ScopeRequirement) => boolean

/** How objects of one kind count. */
export interface Evaluator {
  /** Whether the evaluator measures a resource that a quota limits. */
  measures(name: string): boolean
  usage(object: KubeObject): Amounts
  /** Set if every object only counts as one under these names: then objects need not be read. */
  readonly onlyCounts?: readonly string[]
  /** Whether an object may use more after its creation. */
  readonly grows: boolean
  /** The only subresource through which an object may grow, if it does not grow otherwise. */
  readonly growsUnder?: string
  /** What an object must specify because a quota limits it; undefined if it specifies everything. */
  missing?(object: KubeObject, limited: readonly string[]): string | undefined
  /** Absent: no object of the kind is in any scope. */
  scopesOf?(object: KubeObject): IsInScope
}
