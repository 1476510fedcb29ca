import type { KubeObject } from '../api/object.ts'
import { type AppliedPatch, untouched } from './applied-patch.ts'
import { applyExpression } from './apply-expression.ts'
import { applyLabels } from './apply-labels.ts'
import { applyReference } from './apply-reference.ts'
import type { CompiledPatch, FoundReference, PatchCounters, PatchOutcome } from './contract.ts'
import { isKubeObject } from './kube-object.ts'
import type { PatchRun } from './run.ts'

/**
 * Applies a list of patches to a translated object: in the order of the list on the way to the host, in the opposite
 * order on the way back, so that pairs cancel out. The object itself is never changed; a failure leaves nothing behind.
 */
export async function applyPatches(
  object: KubeObject,
  patches: readonly CompiledPatch[],
  run: PatchRun,
): Promise<PatchOutcome<KubeObject>> {
  const counters: PatchCounters[] = patches.map(() => untouched)
  const references: FoundReference[] = []
  let current: unknown = object
  for (const [index, patch] of ordered(patches, run)) {
    const applied = await applyPatch(current, patch, run)
    counters[index] = applied.counters
    if (applied.failure !== undefined) {
      return { state: 'failed', failure: { index, path: patch.pathText, ...applied.failure }, counters }
    }
    current = applied.object
    references.push(...applied.references)
  }
  if (!isKubeObject(current)) throw new Error('A patch reached what says which object this is.')
  return { state: 'applied', object: current, references, counters }
}

function ordered(patches: readonly CompiledPatch[], run: PatchRun): readonly (readonly [number, CompiledPatch])[] {
  const entries = [...patches.entries()]
  return run.direction === 'toHost' ? entries : entries.reverse()
}

function applyPatch(object: unknown, patch: CompiledPatch, run: PatchRun): AppliedPatch | Promise<AppliedPatch> {
  switch (patch.action.type) {
    case 'expression':
      return applyExpression(object, patch.path, patch.action, run)
    case 'reference':
      return applyReference(object, patch.path, patch.action, run)
    case 'labels':
      return applyLabels(object, patch.path, run)
  }
}
