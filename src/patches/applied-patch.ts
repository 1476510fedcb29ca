import { deepEqual } from '../base/equal.ts'
import type { FoundReference, PatchCounters, PatchFailure } from './contract.ts'
import type { Match } from './path/matches.ts'
import { printConcretePath } from './path/print.ts'
import { type Replacement, replaceAt } from './path/replace.ts'

/** The result of one patch on an object. */
export interface AppliedPatch {
  readonly object: unknown
  readonly references: readonly FoundReference[]
  readonly counters: PatchCounters
  /** If set, the object is unchanged. */
  readonly failure?: Omit<PatchFailure, 'index' | 'path'>
}

export const untouched: PatchCounters = { matched: 0, changed: 0, notFound: 0, failed: 0 }

/** The patch does nothing in this direction. */
export function notPatched(object: unknown): AppliedPatch {
  return { object, references: [], counters: untouched }
}

export function pathNotFound(object: unknown): AppliedPatch {
  return { object, references: [], counters: { ...untouched, notFound: 1 } }
}

export function failedAt(object: unknown, match: Match, matched: number, failure: PatchFailureText): AppliedPatch {
  return {
    object,
    references: [],
    counters: { ...untouched, matched, failed: 1 },
    failure: { concretePath: printConcretePath(match.path), ...failure },
  }
}

export interface PatchFailureText {
  readonly message: string
  readonly expression?: string
}

/** One replacement for each match; those without a change are omitted. */
export function replaced(object: unknown, matches: readonly Match[], values: readonly unknown[]): AppliedPatch {
  const changes: Replacement[] = []
  for (const [position, match] of matches.entries()) {
    const value = values[position]
    if (!deepEqual(match.value, value)) changes.push({ path: match.path, value })
  }
  return {
    object: replaceAt(object, changes),
    references: [],
    counters: { matched: matches.length, changed: changes.length, notFound: 0, failed: 0 },
  }
}
