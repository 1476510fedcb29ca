import { type FieldError, forbiddenField, invalidField, invalidFieldAs } from '../field-error.ts'
import { goStrings, goTime } from '../human/go-syntax.ts'
import type { ObjectMeta } from '../object.ts'

const immutable = 'field is immutable'

/** What may not change between two versions of an object. */
export function validateChange(metadata: ObjectMeta, old: ObjectMeta, errors: FieldError[]): void {
  if (old.deletionTimestamp !== undefined) validateNoNewFinalizers(metadata.finalizers, old.finalizers, errors)
  validateGenerationChange(metadata.generation ?? 0, old.generation ?? 0, errors)
  validateSameText('metadata.name', metadata.name, old.name, errors)
  validateSameText('metadata.namespace', metadata.namespace, old.namespace, errors)
  validateSameText('metadata.uid', metadata.uid, old.uid, errors)
  validateSameTime('metadata.creationTimestamp', metadata.creationTimestamp, old.creationTimestamp, errors)
  validateSameTime('metadata.deletionTimestamp', metadata.deletionTimestamp, old.deletionTimestamp, errors)
  validateSameGrace(metadata.deletionGracePeriodSeconds, old.deletionGracePeriodSeconds, errors)
}

/** While an object is being deleted, its finalizers can only be removed. */
function validateNoNewFinalizers(
  finalizers: readonly string[] = [],
  old: readonly string[] = [],
  errors: FieldError[],
): void {
  const before = new Set(old)
  const added = [...new Set(finalizers)].filter((each) => !before.has(each)).sort()
  if (added.length === 0) return
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${goStrings(added)}`
  errors.push(forbiddenField('metadata.finalizers', detail))
}

function validateGenerationChange(generation: number, old: number, errors: FieldError[]): void {
  if (generation < old) errors.push(invalidField('metadata.generation', generation, 'must not be decremented'))
}

function validateSameText(field: string, value = '', old = '', errors: FieldError[]): void {
  if (value !== old) errors.push(invalidField(field, value, immutable))
}

function validateSameTime(
  field: string,
  value: string | null | undefined,
  old: string | null | undefined,
  errors: FieldError[],
): void {
  if (isSameTime(value ?? undefined, old ?? undefined)) return
  const printed = typeof value === 'string' ? goTime(value) : '"null"'
  errors.push(invalidFieldAs(field, printed, immutable))
}

function isSameTime(left: string | undefined, right: string | undefined): boolean {
  if (left === right) return true
  return left !== undefined && right !== undefined && Date.parse(left) === Date.parse(right)
}

function validateSameGrace(value: number | undefined, old: number | undefined, errors: FieldError[]): void {
  if (value !== old) errors.push(invalidField('metadata.deletionGracePeriodSeconds', value, immutable))
}
