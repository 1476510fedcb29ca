import { unmarshalErrors } from '../../api/decode/complaints.ts'
import type { ParsedBody } from '../../api/decode/contract.ts'
import { badRequest, conflict, notFound } from '../../api/error.ts'
import { jsonTypeName } from '../../api/human/go-print.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf, type KubeObject, type ObjectMeta, parseApiVersion } from '../../api/object.ts'
import { asMembers, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { paced } from '../../base/pace.ts'
import type { Steps } from '../../base/steps.ts'
import type { ResourceContext } from '../context.ts'
import type { NamedTarget, PatchRequest, WriteAnswer, WriteRequest } from '../contract.ts'
import { applySteps, describedConfig } from '../fields/apply.ts'
import { ifVisible, visibilityFor } from '../visibility.ts'
import { commitChange } from './commit-change.ts'
import { createPrepared } from './create.ts'
import { requireCreatePermission } from './create-permission.ts'
import { decodeBody, requireFewValues, restAfterReading } from './decode-body.ts'
import { defaultedChange } from './defaulted-change.ts'
import { withDistinctOwners } from './distinct-owners.ts'
import { requireResourceVersion, requireSameName } from './update.ts'
import { writePace } from './write-pace.ts'
import { writtenInTurn } from './written-in-turn.ts'

/**
 * Server-side apply: merges the manager's configuration into the stored object, taking the fields of all managers into
 * account.
 */
export async function applyObject(
  context: ResourceContext,
  target: NamedTarget,
  patch: Extract<PatchRequest, { type: 'apply' }>,
  request: WriteRequest,
): Promise<WriteAnswer> {
  const config = configuration(context, patch.body)
  const visibility = await visibilityFor(context, request.user)
  const pace = writePace(request)
  await restAfterReading(patch.body, pace)
  return writtenInTurn(context, target, request, async (stored) => {
    const current = ifVisible(stored, visibility)
    const live = current && (context.kind.strategy.readable?.(current.object) ?? current.object)
    const applied = await paced(appliedValue(context, live, config, patch, request), pace)
    refuseRepetitions(patch.body, request)
    await pace.step()
    const decoding = decodedResult(context, inNamespace(applied, target), { patch, config }, request, current?.object)
    const merged = await paced(decoding, pace)
    requireSameName(merged, target)
    await pace.step()
    if (current === undefined) {
      refuseNew(context, target, config, request)
      await requireCreatePermission(context, target, request)
      const created = request.dryRun ? merged : withoutResourceVersion(merged)
      return { outcome: 'done', answer: await createPrepared(context, created, request, merged.metadata.name) }
    }
    if ((config.metadata.resourceVersion ?? '') !== '') requireResourceVersion(context, config, current)
    return commitChange(context, current, merged, request)
  })
}

/**
 * The caller's configuration, unchanged except for the type, which the address determines. Defaults do not belong to
 * the caller, and the merge finds unknown fields and wrong types.
 */
function configuration(context: ResourceContext, body: ParsedBody): KubeObject {
  const value = appliedMembers(body)
  requireSameType(context.kind, value)
  return { ...value, apiVersion: apiVersionOf(context.kind), kind: context.kind.kind, metadata: metadataOf(value) }
}

function refuseRepetitions({ repetitions = [] }: ParsedBody, { fieldValidation }: WriteRequest): void {
  if (fieldValidation !== 'Strict' || repetitions.length === 0) return
  throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${unmarshalErrors(repetitions)}`)
}

/** Null counts as an empty object. */
export function appliedMembers({ value }: ParsedBody): Readonly<Record<string, unknown>> {
  if (isJsonObject(value)) return value
  if (value === null) return {}
  const problem = `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type map[string]interface {}`
  throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${problem}`)
}

/** Added only here: earlier refusals name the configuration as it was sent, with or without a namespace. */
function inNamespace(object: KubeObject, { namespace }: NamedTarget): KubeObject {
  if (namespace === '' || object.metadata.namespace !== undefined) return object
  return { ...object, metadata: { ...object.metadata, namespace } }
}

function metadataOf(value: Readonly<Record<string, unknown>>): ObjectMeta {
  return asMembers(value.metadata)
}

export function requireSameType(wanted: Kind, value: Readonly<Record<string, unknown>>): void {
  const apiVersion = asText(value.apiVersion)
  const kind = asText(value.kind)
  if (apiVersion === apiVersionOf(wanted) && kind === wanted.kind) return
  const { group, version } = parseApiVersion(apiVersion)
  throw badRequest(`invalid object type: ${group}/${version}, Kind=${kind}`)
}

/** As in Kubernetes, an apply that creates an object does not mind which version it names. */
function withoutResourceVersion(object: KubeObject): KubeObject {
  if (object.metadata.resourceVersion === undefined) return object
  const { resourceVersion: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

function refuseNew(context: ResourceContext, target: NamedTarget, config: KubeObject, request: WriteRequest): void {
  if (request.subresource !== '') throw notFound(context.kind, target.name)
  const { uid = '' } = config.metadata
  if (uid === '') return
  throw conflict(
    context.kind,
    target.name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  )
}

function appliedValue(
  context: ResourceContext,
  live: KubeObject | undefined,
  config: KubeObject,
  patch: Extract<PatchRequest, { type: 'apply' }>,
  request: WriteRequest,
): Steps<KubeObject> {
  return applySteps({
    kind: context.kind,
    live,
    config,
    manager: request.fieldManager,
    force: patch.force,
    subresource: request.subresource,
    nowMs: context.engine.clock.now(),
  })
}

function* decodedResult(
  context: ResourceContext,
  value: KubeObject,
  { patch, config }: { readonly patch: Extract<PatchRequest, { type: 'apply' }>; readonly config: KubeObject },
  request: WriteRequest,
  live: KubeObject | undefined,
): Steps<KubeObject> {
  requireFewValues(value)
  yield
  const body = { ...patch.body, value }
  const applied = describedConfig(config)
  const decoded = withDistinctOwners(decodeBody(context.kind, body, request, { applied }), request)
  yield
  return defaultedChange(context.kind, decoded, live)
}
