import type { FieldError } from '../../src/api/field-error.ts'
import type { Kind } from '../../src/api/kind.ts'
import { updateOrder } from '../../src/api/metadata/update-order.ts'
import { apiVersionOf, type KubeObject } from '../../src/api/object.ts'
import { atOnce, type Steps } from '../../src/base/steps.ts'

/** The result of a kind's strategy for an object, without storage and without the checks that all kinds share. */
export interface Outcome {
  readonly object: KubeObject
  readonly errors: readonly FieldError[]
  readonly warnings: readonly string[]
}

export type SentObject = Readonly<Record<string, unknown>> & { readonly metadata?: KubeObject['metadata'] }

export function previewCreate({ strategy, ...kind }: Kind, body: SentObject): Outcome {
  const { status: _, ...sent } = body
  const typed: KubeObject = { metadata: {}, ...sent, apiVersion: apiVersionOf(kind), kind: kind.kind }
  const defaulted = strategy.defaults?.(typed) ?? typed
  const object = strategy.prepareForCreate?.(defaulted) ?? defaulted
  const first = strategy.validateFirst?.(object) ?? []
  const errors = [...(strategy.validate?.(object) ?? []), ...foundBy(strategy.validateSchema?.(object, undefined, ''))]
  const warnings = [...(strategy.warningsBefore?.(defaulted) ?? []), ...(strategy.warnings?.(object) ?? [])]
  return { object, errors: first.length > 0 ? first : errors, warnings }
}

export function previewUpdate({ strategy, ...kind }: Kind, body: SentObject, old: KubeObject): Outcome {
  const typed: KubeObject = { metadata: {}, ...body, apiVersion: apiVersionOf(kind), kind: kind.kind }
  const defaulted = strategy.defaults?.(kind.hasStatus ? { ...typed, status: old.status } : typed) ?? typed
  const object = strategy.prepareForUpdate?.(defaulted, old) ?? defaulted
  const first = strategy.validateFirst?.(object, old) ?? []
  const errors = [
    ...(strategy.validateUpdate?.(object, old) ?? []),
    ...updateOrder(kind).flatMap((check) => (check === 'object' ? (strategy.validate?.(object) ?? []) : [])),
    ...foundBy(strategy.validateSchema?.(object, old, '')),
  ]
  return { object, errors: first.length > 0 ? first : errors, warnings: strategy.warnings?.(object, old) ?? [] }
}

/** `field: message`, one per error. */
export function errorTexts({ errors }: Outcome): readonly string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`)
}

function foundBy(found: readonly FieldError[] | Steps<readonly FieldError[]> = []): readonly FieldError[] {
  return 'next' in found ? atOnce(found) : found
}
