import { repeated } from '../core/repeated.ts'
import { type FieldError, invalidField, requiredField } from '../field-error.ts'
import { validateLabel1035 } from '../names.ts'

const known = ['v1', 'v1beta1']

/** Review versions that a webhook supports. `ifNone`: the message if there are none. */
export function validateReviewVersions(
  field: string,
  versions: readonly string[],
  { ifNone = '' } = {},
): readonly FieldError[] {
  if (versions.length === 0) return [requiredField(field, ifNone)]
  const isRepeated = repeated(versions)
  return [
    ...versions.flatMap((version, index) => validateVersion(`${field}[${index}]`, version, isRepeated[index] === true)),
    ...(versions.some((version) => known.includes(version))
      ? []
      : [invalidField(field, versions, `must include at least one of ${known.join(', ')}`)]),
  ]
}

function validateVersion(field: string, version: string, isRepeated: boolean): readonly FieldError[] {
  if (isRepeated) return [invalidField(field, version, 'duplicate version')]
  return validateLabel1035(version).map((problem) => invalidField(field, version, problem))
}
