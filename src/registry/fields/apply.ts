import { scaleOf } from '../../api/autoscaling/scale.ts'
import { badRequest } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf, type KubeObject, parseApiVersion } from '../../api/object.ts'
import { timestamp } from '../../base/clock.ts'
import { deepEqual } from '../../base/equal.ts'
import { asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { atOnce, type Steps } from '../../base/steps.ts'
import { configProblems } from './check-config.ts'
import type { Comparison } from './compare.ts'
import { conflictError, conflictsBeyond, conflictsWith, type FieldConflict } from './conflicts.ts'
import { difference, emptySet, type FieldSet, intersection, isEmptySet, leaf, union } from './field-set.ts'
import { appliedSetSteps } from './fields-of.ts'
import { lastAppliedFields, withLastApplied } from './last-applied.ts'
import {
  isSameManager,
  type Manager,
  managerIdentity,
  printSteps,
  requireFewManagers,
  unionOfFields,
} from './managers.ts'
import { mergedValue } from './merge-values.ts'
import { memberElement } from './path-element.ts'
import { pruneSteps } from './prune.ts'
import { managersAfter, recordSteps } from './record-update.ts'
import { compareRecorded, recordedOf, type WriteEndpoint } from './recorded-fields.ts'
import { managersOf, timeOfWrite, withManagedFields } from './track.ts'

/**
 * Server-side apply. The calling verb must:
 * 1. parse the body without pruning or defaulting it: unknown fields are refused here, and fields that the
 * configuration omits must not become the applier's;
 * 2. call applyConfiguration with the stored object or, for a create, without one;
 * 3. decode the result like a PUT, apply defaults, prepare and validate. Fields added this way have no owner;
 * 4. write nothing if equalIgnoringManagedFieldsTimes holds with the stored object; otherwise store.
 * A uid or resourceVersion in the configuration is kept in the result, for the usual preconditions.
 */
export interface ApplyInput {
  readonly kind: Kind
  readonly live: KubeObject | undefined
  readonly config: KubeObject
  readonly manager: string
  readonly force: boolean
  readonly subresource: string
  readonly nowMs: number
}

/** The merged object with its managedFields. Throws the conflicts unless the applier may take the fields. */
export function applyConfiguration(input: ApplyInput): KubeObject {
  return atOnce(applySteps(input))
}

/** `applyConfiguration` in steps: each walks the whole object, which may be large. */
export function* applySteps(input: ApplyInput): Steps<KubeObject> {
  const { kind, manager, subresource } = input
  yield* requireApplicable(kind, input.config)
  yield
  const config = { ...input.config, metadata: input.config.metadata ?? {} }
  const endpoint = { kind, subresource }
  const applier = managerIdentity(kind, { name: manager, operation: 'Apply', subresource })
  const managers = yield* managersBeforeApply(input, endpoint)
  requireFewManagers(managers.length)
  const live = withManagedFields(input.live ?? newObject(kind), [])
  const others = managers.filter((other) => !isSameManager(other, applier))
  const known = managers.find((other) => isSameManager(other, applier))
  yield
  const plan = yield* planApply(endpoint, live, config, { others, last: known?.fields ?? emptySet })
  yield
  if (!input.force) throwConflicts(input, live, yield* conflictsWith(others, plan.comparison.changed))
  yield
  const kept = yield* managersAfter(others, plan.comparison)
  yield
  const time = changesObject(input, live, plan) ? timeOfWrite(input) : known?.time
  const self: Manager = { ...applier, time, fields: plan.fields }
  const object = manager === 'kubectl' ? withLastApplied(plan.object, config) : plan.object
  yield
  return withManagedFields(object, yield* printSteps([...kept, self]))
}

/** Compares whole objects only if no owned field has changed, since that takes long. */
function changesObject({ live: stored }: ApplyInput, live: KubeObject, { object, comparison }: ApplyPlan): boolean {
  const { changed, removed } = comparison
  return stored === undefined || !isEmptySet(changed) || !isEmptySet(removed) || !deepEqual(live, object)
}

/** For one refusal. */
const mostProblems = 1_000

/** An object always keeps its type and metadata, no matter which manager owned fields in them. */
const neverPruned: FieldSet = { 'f:apiVersion': leaf, 'f:kind': leaf, 'f:metadata': leaf }

interface ApplyPlan {
  readonly object: KubeObject
  /** What the applier owns from now on. */
  readonly fields: FieldSet
  readonly comparison: Comparison
}

interface OwnedBefore {
  readonly others: readonly Manager[]
  /** What the applier owned before. */
  readonly last: FieldSet
}

/** What an apply would do, whether or not it is allowed. */
function* planApply(
  endpoint: WriteEndpoint,
  live: KubeObject,
  config: KubeObject,
  { others, last }: OwnedBefore,
): Steps<ApplyPlan> {
  const { schema } = endpoint.kind
  const applied = yield* appliedSetSteps(schema, config)
  yield
  const fields = recordedOf(endpoint, config, applied)
  yield
  const merged = yield* mergedValue(schema, live, config)
  yield
  const mine = union(applied, neverPruned)
  const kept = isEmptySet(difference(last, mine))
    ? merged
    : yield* pruneSteps(schema, merged, { last, now: union(unionOfFields(others), mine) })
  yield
  // Values emptied by pruning take the form of the configuration: an empty object, an empty list or null.
  const object = asObject(kept === merged ? merged : yield* mergedValue(schema, kept, config))
  yield
  return { object, fields, comparison: yield* compareRecorded(endpoint, live, object) }
}

/** The fields of an untracked object belong to its earlier writer, under a separate manager name. */
function* managersBeforeApply(
  { kind, live, subresource, nowMs }: ApplyInput,
  endpoint: WriteEndpoint,
): Steps<readonly Manager[]> {
  const managers = managersOf(kind, live)
  if (live === undefined) return managers
  const writer = managerIdentity(kind, { name: 'before-first-apply', operation: 'Update', subresource })
  if (subresource === 'scale' && kind.flavor === 'builtin') {
    const fields = numberOfScale(kind, live)
    if (fields === undefined || managers.some((manager) => !isEmptySet(intersection(manager.fields, fields))))
      return managers
    return [...managers, { ...writer, time: timestamp(nowMs), fields }]
  }
  if (managers.length > 0) return managers
  return yield* recordSteps([], writer, yield* compareRecorded(endpoint, undefined, live), timestamp(nowMs))
}

/** The only field of the object that its scale shows. */
function numberOfScale(kind: Kind, live: KubeObject): FieldSet | undefined {
  if ((scaleOf(kind, live).spec.replicas ?? 0) === 0) return undefined
  return { [memberElement('spec')]: { [memberElement('replicas')]: leaf } }
}

/** kubectl may take over fields that it set by client-side apply. */
function throwConflicts(
  { kind, manager, subresource }: ApplyInput,
  live: KubeObject,
  conflicts: readonly FieldConflict[],
): void {
  if (conflicts.length === 0) return
  const allowed = manager === 'kubectl' ? lastAppliedFields(kind, live) : emptySet
  const refused = conflictsBeyond(conflicts, allowed)
  if (refused.length === 0) return
  throw conflictError(subresource === 'scale' ? refused.map(inScale) : refused)
}

/** Through the scale subresource, all managers appear with its version. */
function inScale({ manager, fields }: FieldConflict): FieldConflict {
  return { manager: { ...manager, apiVersion: scaleVersion }, fields }
}

const scaleVersion = 'autoscaling/v1'

function* requireApplicable(kind: Kind, config: KubeObject): Steps<void> {
  if (config.apiVersion !== apiVersionOf(kind) || config.kind !== kind.kind) {
    throw badRequest(`invalid object type: ${typeText(config)}`)
  }
  const sent: unknown = config.metadata?.managedFields
  if (sent !== undefined && sent !== null) throw badRequest('metadata.managedFields must be nil')
  const problems = yield* configProblems(kind.schema, config)
  if (problems.length === 0) return
  const told = problems.slice(0, mostProblems).map((each) => `  ${each}`)
  const list = problems.length === 1 ? problems[0] : ['errors:', ...told].join('\n')
  throw badRequest(`failed to create typed patch object (${describedConfig(config)}): ${list}`)
}

/** How refusals name what was applied: as it was sent, so without a namespace if none was. */
export function describedConfig(config: KubeObject): string {
  const { namespace = '', name = '' } = config.metadata ?? {}
  return `${namespace}/${name}; ${typeText(config)}`
}

function typeText(config: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  const { group, version } = parseApiVersion(asText(config.apiVersion))
  return `${group}/${version}, Kind=${asText(config.kind)}`
}

function newObject(kind: Kind): KubeObject {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: {} }
}

function asObject(value: unknown): KubeObject {
  if (isKubeObject(value)) return value
  throw new Error('Applying a configuration lost the type or the metadata of the object.')
}

function isKubeObject(value: unknown): value is KubeObject {
  return (
    isJsonObject(value) && isJsonObject(value.metadata) && value.apiVersion !== undefined && value.kind !== undefined
  )
}
