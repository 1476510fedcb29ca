import { isDeepStrictEqual } from 'node:util'
import { errorText } from '../../../base/error-text.ts'
import type { KubeClient } from '../../../client/contract.ts'
import type { Progress } from '../../output/progress.ts'
import type { Manifest } from '../manifest.ts'
import { removeStuckPods } from '../rollout/stuck-pods.ts'
import { applyToHost } from './apply-object.ts'
import { foreignObjects, removeObject, sameObject, shownObject } from './objects.ts'
import type { ApplyConflict } from './three-way.ts'

export interface ApplyAllOptions {
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
}

/** One after the other. `last` is what was applied before. Returns the fields that others have changed and keep. */
export async function applyAll(
  host: KubeClient,
  manifests: readonly Manifest[],
  last: readonly Manifest[],
  { progress, signal }: ApplyAllOptions,
): Promise<readonly ApplyConflict[]> {
  const kept: ApplyConflict[] = []
  for (const manifest of manifests) {
    progress.step(shownObject(manifest))
    const before = last.find((each) => sameObject(each, manifest))
    const applied = await applyToHost(host, manifest, before, signal)
    kept.push(...applied.kept.map(({ field, message }) => ({ field: `${shownObject(manifest)} ${field}`, message })))
  }
  return kept
}

/** Applies the previous objects again. Ignores cancellation: half an upgrade is worse than a late one. */
export async function rollBack(
  host: KubeClient,
  { failed, last }: Readonly<Record<'failed' | 'last', readonly Manifest[]>>,
  error: unknown,
  progress: Progress,
): Promise<Error> {
  const reason = errorText(error)
  if (isDeepStrictEqual(failed, last))
    return new Error(`${reason}\nNothing was changed, so there is nothing to roll back.`, { cause: error })
  try {
    progress.step('Rolling back')
    await applyAll(host, last, failed, { progress })
    await removeObsolete(host, failed, last)
    await removeStuckPods(host, last)
  } catch (second) {
    const why = errorText(second)
    return new Error(`the upgrade failed: ${reason}; the rollback failed too: ${why}`, { cause: error })
  }
  return new Error(`the upgrade failed and was rolled back: ${reason}`, { cause: error })
}

/** Removes earlier objects that are no longer wanted. */
export async function removeObsolete(
  host: KubeClient,
  before: readonly Manifest[],
  after: readonly Manifest[],
  signal?: AbortSignal,
): Promise<void> {
  for (const manifest of before) {
    if (!after.some((each) => sameObject(each, manifest))) await removeObject(host, manifest, signal)
  }
}

/** Refuses to overwrite objects of others. `what` needs the names, such as `the tenant`. */
export async function refuseForeignObjects(
  host: KubeClient,
  manifests: readonly Manifest[],
  what: string,
  signal?: AbortSignal,
): Promise<void> {
  const found = await foreignObjects(host, manifests, signal)
  if (found.length === 0) return
  const shown = found.map(shownObject).join(', ')
  throw new Error(
    `other objects have names that ${what} needs: ${shown}; remove them, or choose another name or namespace. Nothing was changed`,
  )
}
