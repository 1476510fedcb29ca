import { newErrors } from '../../api/core/new-errors.ts'
import type { RuleFindings } from '../../api/custom/rules/rule-findings.ts'
import { invalid } from '../../api/error.ts'
import { allErrors, type FieldError, type FieldErrorReason, invalidFieldAs } from '../../api/field-error.ts'
import type { Kind } from '../../api/kind.ts'
import { finalizerWarnings } from '../../api/metadata/finalizers.ts'
import { checksMetadataLast, type UpdateCheck, updateOrder } from '../../api/metadata/update-order.ts'
import { validateMetadata, validateMetadataUpdate } from '../../api/metadata/validate.ts'
import type { KubeObject } from '../../api/object.ts'
import { paced } from '../../base/pace.ts'
import type { Steps } from '../../base/steps.ts'
import type { WriteRequest } from '../contract.ts'
import { writePace } from './write-pace.ts'

export async function checkNew(kind: Kind, object: KubeObject, request: WriteRequest): Promise<void> {
  if (request.alike?.isKnownToBeValid(object) === true) return
  refuseFirst(kind, kind.strategy.validateFirst?.(object), object)
  const metadata = () => validateMetadata(kind, object.metadata)
  const own = [() => kind.strategy.validate?.(object), () => kind.strategy.validateSchema?.(object, undefined, '')]
  const isLast = checksMetadataLast(kind)
  const errors = await collected(request, isLast ? own : [metadata, ...own])
  const told = isLast && errors.length === 0 ? metadata() : errors
  await refuseInvalid(kind, object, undefined, told, request)
  request.alike?.noteValid(object)
}

export async function checkChanged(
  kind: Kind,
  object: KubeObject,
  old: KubeObject,
  request: WriteRequest,
): Promise<void> {
  const { validateFirst } = kind.strategy
  if (request.subresource === '' && validateFirst !== undefined) {
    refuseFirst(kind, newErrors(validateFirst, object, old), object)
  }
  const metadata = validateMetadataUpdate(kind, object.metadata, old.metadata)
  const found: Readonly<Record<UpdateCheck, readonly FieldError[]>> = {
    'metadata change': metadata.change,
    metadata: metadata.own,
    object: await collected(request, [() => newlyInvalid(kind, object, old)]),
    change: await collected(request, [
      () => kind.strategy.validateSchema?.(object, old, request.subresource),
      () => validateAt(kind, request.subresource, object, old),
    ]),
  }
  const errors = allErrors(metadata.general, ...updateOrder(kind, request.subresource).map((each) => found[each]))
  await refuseInvalid(kind, object, old, errors, request)
}

function refuseFirst(kind: Kind, errors: readonly FieldError[] = [], { metadata }: KubeObject): void {
  if (errors.length > 0) throw invalid(storedKind(kind), metadata.name ?? '', errors)
}

/** Some checks take long and run in steps. */
type Found = readonly FieldError[] | Steps<readonly FieldError[]>

/** Collects the errors of each check, with a rest in between: each check walks the whole object. */
async function collected(
  request: WriteRequest,
  checks: readonly (() => Found | undefined)[],
): Promise<readonly FieldError[]> {
  const pace = writePace(request)
  const errors: FieldError[] = []
  for (const check of checks) {
    const found = check() ?? []
    for (const error of 'next' in found ? await paced(found, pace) : found) errors.push(error)
    if (pace.isDue()) await pace.rest()
  }
  return errors
}

/** Objects stored by an earlier version stay writable where the invalid part is unchanged: status, labels, finalizers. */
function newlyInvalid({ strategy }: Kind, object: KubeObject, old: KubeObject): readonly FieldError[] {
  const { validate } = strategy
  return validate === undefined ? [] : newErrors(validate, object, old)
}

/** Checks only the schema and the rules of a kind. */
export async function checkBySchema(
  kind: Kind,
  object: KubeObject,
  old: KubeObject | undefined,
  request: WriteRequest,
): Promise<void> {
  const errors = await collected(request, [() => kind.strategy.validateSchema?.(object, old, '')])
  return requireValid(kind, object, old, errors, request)
}

async function refuseInvalid(
  kind: Kind,
  object: KubeObject,
  old: KubeObject | undefined,
  errors: readonly FieldError[],
  request: WriteRequest,
): Promise<void> {
  await requireValid(kind, object, old, errors, request)
  const isWhole = request.subresource === '' || request.subresource === 'scale'
  if (isWhole && request.ignoresWarnings !== true) warn(kind, object, old, request)
}

async function requireValid(
  kind: Kind,
  object: KubeObject,
  old: KubeObject | undefined,
  errors: readonly FieldError[],
  request: WriteRequest,
): Promise<void> {
  const { errors: broken, warnings } = await heldAgainstRules(kind, object, old, errors, request)
  const all = broken.length === 0 ? errors : [...errors, ...broken]
  for (const text of warnings) request.warn(text)
  if (all.length > 0) throw invalid(storedKind(kind), object.metadata.name ?? '', all)
}

const nothingFound: RuleFindings = { errors: [], warnings: [] }

/** Errors that prevent the evaluation of expressions. */
const blocking: ReadonlySet<FieldErrorReason> = new Set<FieldErrorReason>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
])

const unchecked: FieldError = invalidFieldAs(
  '<nil>',
  '"null"',
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

async function heldAgainstRules(
  { strategy }: Kind,
  object: KubeObject,
  old: KubeObject | undefined,
  errors: readonly FieldError[],
  request: WriteRequest,
): Promise<RuleFindings> {
  const rules = strategy.validateRules?.(object, old, request.subresource)
  if (rules === undefined) return nothingFound
  if (errors.some(({ reason }) => blocking.has(reason))) return { errors: [unchecked], warnings: [] }
  return paced(rules, writePace(request))
}

/** Refusals for a view name the group of the kind that it shows. */
function storedKind({ kind, group, storedAs }: Kind): Pick<Kind, 'kind' | 'group'> {
  return { kind, group: storedAs?.group ?? group }
}

function validateAt(kind: Kind, subresource: string, object: KubeObject, old: KubeObject): readonly FieldError[] {
  if (subresource === '' || subresource === 'scale') return validateUpdateOf(kind, object, old)
  const partial = kind.partialUpdates?.[subresource]
  if (partial !== undefined) return partial.validate?.(object, old) ?? []
  return kind.strategy.validateStatusUpdate?.(object, old) ?? []
}

/** An object stored by an earlier version lacks newer defaults: filling them in does not count as a change. */
function validateUpdateOf({ strategy }: Kind, object: KubeObject, old: KubeObject): readonly FieldError[] {
  const found = strategy.validateUpdate?.(object, old) ?? []
  if (found.length === 0 || strategy.defaults === undefined) return found
  return strategy.validateUpdate?.(object, strategy.defaults(old)) ?? []
}

function warn(kind: Kind, object: KubeObject, old: KubeObject | undefined, request: WriteRequest): void {
  if (kind.flavor === 'custom') for (const text of finalizerWarnings(object.metadata, old?.metadata)) request.warn(text)
  for (const text of kind.strategy.warnings?.(object, old) ?? []) request.warn(text)
}
