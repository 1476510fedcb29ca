import { type FieldError, invalidField, maxFieldErrors } from '../field-error.ts'
import { quoted } from '../human/go-syntax.ts'
import { validateQualifiedName } from '../names.ts'
import type { ObjectMeta } from '../object.ts'

const field = 'metadata.finalizers'

/** Deletion waits until the garbage collector has orphaned the dependents. */
export const orphanFinalizer = 'orphan'
/** Deletion waits until the garbage collector has deleted the dependents. */
export const foregroundFinalizer = 'foregroundDeletion'

/** A CustomResourceDefinition stays until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

/** A claim stays until no Pod uses it, and a volume until no claim has it. */
export const claimProtection = 'kubernetes.io/pvc-protection'
export const volumeProtection = 'kubernetes.io/pv-protection'

const dependentFinalizers = new Set([orphanFinalizer, foregroundFinalizer])
const standardFinalizers = new Set(['kubernetes', cleanupFinalizer, ...dependentFinalizers])

export function validateFinalizers(finalizers: readonly string[] | undefined, errors: FieldError[]): void {
  if (finalizers === undefined) return
  for (const finalizer of finalizers) {
    if (errors.length >= maxFieldErrors) return
    for (const problem of validateQualifiedName(finalizer)) errors.push(invalidField(field, finalizer, problem))
  }
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const detail = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`
    errors.push(invalidField(field, finalizers, detail))
  }
}

/** Builtin kinds require a domain; custom kinds only warn, see `finalizerWarnings`. */
export function validateStandardFinalizers(finalizers: readonly string[] | undefined, errors: FieldError[]): void {
  finalizers?.forEach((finalizer, index) => {
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) return
    const detail = 'name is neither a standard finalizer name nor is it fully qualified'
    errors.push(invalidField(`${field}[${index}]`, finalizer, detail))
  })
}

/** Warnings for the writer of a custom kind about new finalizers. */
export function finalizerWarnings({ finalizers }: ObjectMeta, old?: ObjectMeta): readonly string[] {
  if (finalizers === undefined || finalizers.length === 0) return []
  const before = new Set(old?.finalizers)
  const added = [...new Set(finalizers)].filter((each) => !before.has(each)).sort()
  return added.flatMap((finalizer) => {
    const problems = validateQualifiedName(finalizer)
    return [...problems, ...domainAdvice(finalizer)].map((text) => `${field}: ${quoted(finalizer)}: ${text}`)
  })
}

function domainAdvice(finalizer: string): readonly string[] {
  if (finalizer.includes('/') || dependentFinalizers.has(finalizer)) return []
  return ['prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers']
}
