import { replicasAt, scaleKind, scaleOf, scaleToPatch, unsetReplicas } from '../../api/autoscaling/scale.ts'
import type { ParsedBody } from '../../api/decode/contract.ts'
import { ApiError, badRequest, conflict, invalid, notFound } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf, type KubeObject } from '../../api/object.ts'
import type { Scale } from '../../api/types/autoscaling-v1.ts'
import type { GetOptions, NamedTarget, PatchRequest, Resource, WriteRequest } from '../contract.ts'
import { applyJsonPatch } from '../patch/json-patch.ts'
import { applyMergePatch } from '../patch/merge-patch.ts'
import { applyStrategicMergePatch } from '../patch/strategic-merge.ts'
import { appliedMembers, requireSameType } from './apply.ts'
import { decodeBody, requireFewValues } from './decode-body.ts'
import { uidMismatch } from './uid-mismatch.ts'
import { requireSameName } from './update.ts'

/** How often a patch is recomputed because the object changed meanwhile. */
const attempts = 5

/** `/scale`: the number of replicas of an object, separate from everything else about it. */

export async function getScale(resource: Resource, target: NamedTarget, options: GetOptions): Promise<Scale> {
  return scaleOf(resource.kind, (await found(resource, target, options)).object)
}

export async function updateScale(
  resource: Resource,
  target: NamedTarget,
  body: ParsedBody,
  request: WriteRequest,
): Promise<Scale> {
  return write(resource, target, decodeBody(scaleKind, body, request), request)
}

export async function patchScale(
  resource: Resource,
  target: NamedTarget,
  patch: PatchRequest,
  request: WriteRequest,
): Promise<Scale> {
  if (patch.type === 'apply') return applied(resource, target, patch, request)
  for (let attempt = 1; ; attempt += 1) {
    const options = { user: request.user, resourceVersion: '', signal: request.signal }
    const before = scaleToPatch(resource.kind, (await resource.get(target, options)).object)
    const after = patched(before, patch, request)
    try {
      return await write(resource, target, after, request)
    } catch (error) {
      const isRace = after.metadata.resourceVersion === before.metadata.resourceVersion
      if (!isConflict(error) || !isRace || attempt === attempts) throw error
    }
  }
}

function patched(before: Scale, patch: Exclude<PatchRequest, { type: 'apply' }>, request: WriteRequest): KubeObject {
  const value = patchedValue(before, patch)
  requireFewValues(value)
  const body = { ...patch.body, value, text: '' }
  const strategic = patch.type === 'strategic' ? { strategicPatch: patch.body.value } : {}
  return decodeBody(scaleKind, body, request, { source: 'patch', ...strategic })
}

function patchedValue(before: Scale, patch: Exclude<PatchRequest, { type: 'apply' }>): unknown {
  switch (patch.type) {
    case 'json':
      return applyJsonPatch(before, patch.body.value)
    case 'merge':
      return applyMergePatch(before, patch.body.value)
    case 'strategic':
      return applyStrategicMergePatch(before, patch.body.value, scaleKind.schema)
  }
}

/** Applying to the scale applies to the object, by the same manager. */
async function applied(
  resource: Resource,
  target: NamedTarget,
  patch: Extract<PatchRequest, { type: 'apply' }>,
  request: WriteRequest,
): Promise<Scale> {
  // There is no scale to create.
  await resource.get(target, { user: request.user, resourceVersion: '', signal: request.signal })
  requireSameType(scaleKind, appliedMembers(patch.body))
  const scale = decodeBody(scaleKind, patch.body, request)
  const { spec } = requireValid(scale, resource.kind)
  const type = { apiVersion: apiVersionOf(resource.kind), kind: resource.kind.kind }
  const wanted = spec.replicas === undefined ? {} : replicasAt(resource.kind, spec.replicas)
  const value = { ...type, metadata: { ...scale.metadata, name: scale.metadata.name || target.name }, ...wanted }
  const body = { value, duplicateFields: [], text: JSON.stringify(value) }
  const { document } = await resource.patch(target, { ...patch, body }, request)
  return scaleOf(resource.kind, document.object)
}

async function write(resource: Resource, target: NamedTarget, sent: KubeObject, request: WriteRequest): Promise<Scale> {
  requireSameName(sent, target)
  const { spec } = requireValid(sent, resource.kind)
  const { uid, resourceVersion } = sent.metadata
  await requireSameUid(resource, target, uid, request)
  const value = { metadata: { uid, resourceVersion }, ...replicasAt(resource.kind, spec.replicas ?? 0) }
  const body = { value: JSON.parse(JSON.stringify(value)), duplicateFields: [], text: '' }
  const { document } = await resource.patch(target, { type: 'merge', body }, request)
  return scaleOf(resource.kind, document.object)
}

async function requireSameUid(
  resource: Resource,
  target: NamedTarget,
  uid: string | undefined,
  request: WriteRequest,
): Promise<void> {
  if (uid === undefined || uid === '') return
  const options = { user: request.user, resourceVersion: '', signal: request.signal }
  const { object } = await resource.get(target, options)
  if (object.metadata.uid === uid) return
  throw conflict(resource.kind, target.name, uidMismatch(resource.kind, object, uid, request.dryRun))
}

/** For custom kinds, the refusal names the object rather than its scale. */
function requireValid(sent: KubeObject, kind: Kind): Scale {
  const scale = (scaleKind.strategy.defaults?.(sent) ?? sent) as Scale
  const path = kind.scale?.paths?.spec
  if (path !== undefined) {
    if (scale.spec.replicas !== unsetReplicas) return scale
    throw badRequest(`the spec replicas field ".${path.join('.')}" cannot be empty`)
  }
  const errors = scaleKind.strategy.validate?.(scale) ?? []
  if (errors.length > 0) throw invalid(scaleKind, scale.metadata.name ?? '', errors)
  return scale
}

function found(resource: Resource, target: NamedTarget, options: GetOptions) {
  return named(
    resource,
    target,
    Promise.resolve().then(() => resource.get(target, options)),
  )
}

/** When a scale is read, a not-found error names it, or the object, or another group: as kube-apiserver does. */
async function named<T>({ kind }: Resource, { name }: NamedTarget, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 404) throw error
    throw notFound(namedAs(kind), name)
  }
}

function namedAs({ group, plural, flavor }: Kind): Pick<Kind, 'group' | 'plural'> {
  if (flavor === 'custom' || plural === 'statefulsets') return { group, plural }
  return { group: group === '' ? scaleKind.group : group, plural: `${plural}/scale` }
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status.reason === 'Conflict'
}
