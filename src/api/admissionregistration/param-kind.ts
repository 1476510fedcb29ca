import { type FieldError, invalidField, requiredField } from '../field-error.ts'
import { validateLabel1035, validateSubdomain } from '../names.ts'
import type { ParamKind } from '../types/admissionregistration-v1.ts'

/** The kind of a policy's parameters. */
export function validateParamKind(field: string, { apiVersion = '', kind = '' }: ParamKind): readonly FieldError[] {
  return [...validateApiVersion(`${field}.apiVersion`, apiVersion), ...validateKindName(`${field}.kind`, kind)]
}

function validateApiVersion(field: string, apiVersion: string): readonly FieldError[] {
  if (apiVersion === '') return [requiredField(field)]
  const parts = apiVersion.split('/')
  if (parts.length > 2) return [invalidField(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  const [version = '', group = ''] = parts.reverse()
  return [
    ...(group === '' ? [] : joinedErrors(field, group, validateSubdomain(group))),
    ...(version === ''
      ? [invalidField(field, apiVersion, 'version must be specified')]
      : joinedErrors(field, version, validateLabel1035(version))),
  ]
}

function validateKindName(field: string, kind: string): readonly FieldError[] {
  if (kind === '') return [requiredField(field)]
  const problems = validateLabel1035(kind.toLowerCase())
  if (problems.length === 0) return []
  return [invalidField(field, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`)]
}

function joinedErrors(field: string, value: string, problems: readonly string[]): readonly FieldError[] {
  return problems.length === 0 ? [] : [invalidField(field, value, problems.join(','))]
}
