import type { ParsedBody } from '../../api/decode/contract.ts'
import { notFound } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { paced } from '../../base/pace.ts'
import type { Steps } from '../../base/steps.ts'
import type { ResourceContext } from '../context.ts'
import type { NamedTarget, PatchRequest, WriteAnswer, WriteRequest } from '../contract.ts'
import { caughtUp } from '../freshness.ts'
import { jsonPatchSteps } from '../patch/json-patch.ts'
import { unknownOperationMembers } from '../patch/json-patch-operations.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import { strategicMergeSteps } from '../patch/strategic-merge.ts'
import { ifVisible, visibilityFor } from '../visibility.ts'
import { applyObject } from './apply.ts'
import { commitChange } from './commit-change.ts'
import { decodeBody, requireFewValues, restAfterReading } from './decode-body.ts'
import { withDistinctOwners } from './distinct-owners.ts'
import { requireResourceVersion, requireSameName, trackedSteps } from './update.ts'
import { writePace } from './write-pace.ts'
import { writtenInTurn } from './written-in-turn.ts'

export async function patchObject(
  context: ResourceContext,
  target: NamedTarget,
  patch: PatchRequest,
  request: WriteRequest,
): Promise<WriteAnswer> {
  await caughtUp(context.engine)
  if (patch.type === 'apply') return applyObject(context, target, patch, request)
  const visibility = await visibilityFor(context, request.user)
  const pace = writePace(request)
  await restAfterReading(patch.body, pace)
  return writtenInTurn(context, target, request, async (stored) => {
    const current = ifVisible(stored, visibility)
    if (current === undefined) throw notFound(context.kind, target.name)
    const before = current.object
    const sent = withDistinctOwners(await paced(patched(context, before, patch, request), pace), request)
    requireSameName(sent, target)
    requireResourceVersion(context, sent, current)
    await pace.step()
    const changed = await paced(trackedSteps(context, before, sent, request), pace)
    await pace.step()
    return commitChange(context, current, changed, request)
  })
}

function* patched(
  context: ResourceContext,
  before: KubeObject,
  patch: Exclude<PatchRequest, { type: 'apply' }>,
  request: WriteRequest,
): Steps<KubeObject> {
  const value = yield* patchedValue(context, context.kind.strategy.readable?.(before) ?? before, patch)
  yield
  requireFewValues(value)
  yield
  const body = { ...patch.body, ...complaintsOfOperations(patch, request), value, text: '' }
  const strategic = patch.type === 'strategic' ? { strategicPatch: patch.body.value } : {}
  return decodeBody(context.kind, body, request, { source: 'patch', ...strategic })
}

/** They are reported together with those about the patched object, and after everything else that is wrong with it. */
function complaintsOfOperations(
  { type, body }: Exclude<PatchRequest, { type: 'apply' }>,
  { fieldValidation }: WriteRequest,
): Pick<ParsedBody, 'repetitions'> {
  if (type !== 'json' || fieldValidation === 'Ignore') return {}
  return { repetitions: [...(body.repetitions ?? []), ...unknownOperationMembers(body.value)] }
}

function* patchedValue(
  context: ResourceContext,
  before: KubeObject,
  patch: Exclude<PatchRequest, { type: 'apply' }>,
): Steps<unknown> {
  switch (patch.type) {
    case 'json':
      return yield* jsonPatchSteps(before, patch.body.value)
    case 'merge':
      return applyMergePatch(before, patch.body.value)
    case 'strategic':
      return yield* strategicMergeSteps(before, patch.body.value, context.kind.schema)
  }
}
