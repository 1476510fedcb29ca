import type { KubeObject } from '../api/object.ts'
import { type AppliedPatch, notPatched, untouched } from './applied-patch.ts'
import { applyAnswer } from './apply-expression.ts'
import { applyLabels } from './apply-labels.ts'
import { applyReference } from './apply-reference.ts'
import type { CompiledPatch, FoundReference, PatchCounters, PatchOutcome } from './contract.ts'
import { isKubeObject } from './kube-object.ts'
import { type AnsweredQuestion, askQuestions, questionAbout } from './question.ts'
import type { PatchRun } from './run.ts'
import { type ListedPatch, wavesOf } from './waves.ts'

/**
 * Applies a list of patches to a translated object: in list order on the way to the host, in reverse order on the way
 * back, so that pairs cancel out. The object itself is never changed; a failure leaves nothing behind.
 */
export async function applyPatches(
  object: KubeObject,
  patches: readonly CompiledPatch[],
  run: PatchRun,
): Promise<PatchOutcome<KubeObject>> {
  const counters: PatchCounters[] = patches.map(() => untouched)
  const references: FoundReference[] = []
  let current: unknown = object
  for (const wave of wavesOf(patches, run.direction)) {
    for (const { index, patch, applied } of await applyWave(current, wave, run)) {
      counters[index] = applied.counters
      if (applied.failure !== undefined) {
        return { state: 'failed', failure: { index, path: patch.pathText, ...applied.failure }, counters }
      }
      current = applied.object
      references.push(...applied.references)
    }
  }
  if (!isKubeObject(current)) throw new Error('A patch reached what says which object this is.')
  return { state: 'applied', object: current, references, counters }
}

interface AppliedInWave extends ListedPatch {
  readonly applied: AppliedPatch
}

/** Evaluates all expressions of a wave at once. The last entry is the one that failed, if any did. */
async function applyWave(
  object: unknown,
  wave: readonly ListedPatch[],
  run: PatchRun,
): Promise<readonly AppliedInWave[]> {
  const answers = await askQuestions(
    wave.map(({ patch }) => questionAbout(object, patch, run.direction)),
    run,
  )
  const results: AppliedInWave[] = []
  let current = object
  for (const [position, { index, patch }] of wave.entries()) {
    const applied = applyPatch(current, patch, answers[position], run)
    results.push({ index, patch, applied })
    if (applied.failure !== undefined) break
    current = applied.object
  }
  return results
}

function applyPatch(
  object: unknown,
  patch: CompiledPatch,
  answer: AnsweredQuestion | undefined,
  run: PatchRun,
): AppliedPatch {
  switch (patch.action.type) {
    case 'expression':
      return answer === undefined ? notPatched(object) : applyAnswer(object, answer)
    case 'reference':
      return applyReference(object, patch.path, patch.action, run)
    case 'labels':
      return applyLabels(object, patch.path, run)
  }
}
