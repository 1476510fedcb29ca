import { type FieldError, invalidField, maxFieldErrors, tooLongField } from '../field-error.ts'
import { validateQualifiedName } from '../names.ts'
import { utf8Length } from '../utf8-length.ts'

const maxTotalBytes = 262_144

export function validateAnnotations(
  field: string,
  annotations: Readonly<Record<string, string>> | undefined,
  errors: FieldError[],
): void {
  if (annotations === undefined) return
  let totalBytes = 0
  for (const key of Object.keys(annotations)) {
    if (errors.length >= maxFieldErrors) return
    for (const problem of validateQualifiedName(key.toLowerCase())) errors.push(invalidField(field, key, problem))
    if (totalBytes <= maxTotalBytes) totalBytes += utf8Length(key) + utf8Length(annotations[key] ?? '')
  }
  if (totalBytes > maxTotalBytes) errors.push(tooLongField(field, maxTotalBytes))
}
