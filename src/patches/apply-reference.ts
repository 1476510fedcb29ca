import { type AppliedPatch, failedAt, pathNotFound } from './applied-patch.ts'
import type { FoundReference, ReferenceAction } from './contract.ts'
import { findMatches } from './path/matches.ts'
import type { Path } from './path/path.ts'
import { type Replacement, replaceAt } from './path/replace.ts'
import { type ReferenceSetting, rewriteReference } from './reference.ts'
import type { PatchRun } from './run.ts'

/** Rewrites the reference at each match and returns the references found. */
export function applyReference(object: unknown, path: Path, action: ReferenceAction, run: PatchRun): AppliedPatch {
  const matches = findMatches(object, path)
  if (matches.length === 0) return pathNotFound(object)
  const setting: ReferenceSetting = { direction: run.direction, names: run.names, ownerNamespace: ownerNamespace(run) }
  const references: FoundReference[] = []
  const changes: Replacement[] = []
  let changed = 0
  for (const match of matches) {
    const rewrite = rewriteReference(match, action, setting)
    if (rewrite.state === 'failed') return failedAt(object, match, matches.length, { message: rewrite.message })
    if (rewrite.state === 'absent') continue
    references.push(rewrite.reference)
    changes.push(...rewrite.replacements)
    if (rewrite.replacements.length > 0) changed++
  }
  const notFound = matches.length - references.length
  const counters = { matched: references.length, changed, notFound, failed: 0 }
  return { object: replaceAt(object, changes), references, counters }
}

/** The object being written is already translated: its namespace is that of the other side. */
function ownerNamespace(run: PatchRun): string {
  const owner = run.direction === 'toHost' ? run.context.virtualObject : run.context.hostObject
  return owner?.metadata.namespace ?? ''
}
