import { invalid } from '../../api/error.ts'
import type { FieldError } from '../../api/field-error.ts'
import type { Kind } from '../../api/kind.ts'
import { finalizerWarnings } from '../../api/metadata/finalizers.ts'
import { validateMetadata, validateMetadataUpdate } from '../../api/metadata/validate.ts'
import type { KubeObject } from '../../api/object.ts'
import type { WriteRequest } from '../contract.ts'

export function checkNew(kind: Kind, object: KubeObject, request: WriteRequest): void {
  const errors = [
    ...validateMetadata(kind, object.metadata),
    ...(kind.strategy.validate?.(object) ?? []),
    ...(kind.strategy.validateSchema?.(object, undefined) ?? []),
  ]
  if (errors.length > 0) throw invalid(storedKind(kind), object.metadata.name ?? '', errors)
  warn(kind, object, undefined, request)
}

export function checkChanged(kind: Kind, object: KubeObject, old: KubeObject, request: WriteRequest): void {
  const errors = [
    ...validateMetadataUpdate(kind, object.metadata, old.metadata),
    ...(kind.strategy.validate?.(object) ?? []),
    ...(kind.strategy.validateSchema?.(object, old) ?? []),
    ...validateAt(kind, request.subresource, object, old),
  ]
  if (errors.length > 0) throw invalid(storedKind(kind), object.metadata.name ?? '', errors)
  warn(kind, object, old, request)
}

/** A view of another kind is refused in the name of what it shows. */
function storedKind({ kind, group, storedAs }: Kind): Pick<Kind, 'kind' | 'group'> {
  return { kind, group: storedAs?.group ?? group }
}

function validateAt(kind: Kind, subresource: string, object: KubeObject, old: KubeObject): readonly FieldError[] {
  if (subresource === '' || subresource === 'scale') return kind.strategy.validateUpdate?.(object, old) ?? []
  const partial = kind.partialUpdates?.[subresource]
  if (partial !== undefined) return partial.validate?.(object, old) ?? []
  return kind.strategy.validateStatusUpdate?.(object, old) ?? []
}

function warn(kind: Kind, object: KubeObject, old: KubeObject | undefined, request: WriteRequest): void {
  if (kind.flavor === 'custom') for (const text of finalizerWarnings(object.metadata, old?.metadata)) request.warn(text)
  for (const text of kind.strategy.warnings?.(object, old) ?? []) request.warn(text)
}
