import { printPath } from '../../base/json/path.ts'
import { type FieldError, invalidField } from '../field-error.ts'
import type { Structure } from './structure.ts'
import type { ValidationContext } from './validation-context.ts'

type ErrorsOf = (structure: Structure) => readonly FieldError[]

/** The errors of `allOf`, `anyOf`, `oneOf` and `not`. Kubernetes names no field for them. */
export function junctorErrors(
  { checks }: Structure,
  { path }: Pick<ValidationContext, 'path'>,
  errorsOf: ErrorsOf,
): readonly FieldError[] {
  const field = () => `"${printPath(path)}"`
  return [
    ...(checks.anyOf.length > 0 ? anyOfErrors(checks.anyOf, field, errorsOf) : []),
    ...(checks.oneOf.length > 0 ? oneOfErrors(checks.oneOf, field, errorsOf) : []),
    ...(checks.allOf.length > 0 ? allOfErrors(checks.allOf, field, errorsOf) : []),
    ...(checks.not !== undefined && errorsOf(checks.not).length === 0
      ? [unnamed(`${field()} must not validate the schema (not)`)]
      : []),
  ]
}

function anyOfErrors(choices: readonly Structure[], field: () => string, errorsOf: ErrorsOf): readonly FieldError[] {
  let best: readonly FieldError[] | undefined
  for (const choice of choices) {
    const errors = errorsOf(choice)
    if (errors.length === 0) return []
    if (best === undefined || errors.length < best.length) best = errors
  }
  return [unnamed(`${field()} must validate at least one schema (anyOf)`), ...(best ?? [])]
}

function oneOfErrors(choices: readonly Structure[], field: () => string, errorsOf: ErrorsOf): readonly FieldError[] {
  const failed = choices.map(errorsOf)
  const valid = failed.filter((errors) => errors.length === 0).length
  if (valid === 1) return []
  const problem = `${field()} must validate one and only one schema (oneOf).`
  if (valid > 1) return [unnamed(`${problem} Found ${valid} valid alternatives`)]
  const best = failed.reduce((least, errors) => (errors.length < least.length ? errors : least))
  return [unnamed(`${problem} Found none valid`), ...best]
}

function allOfErrors(parts: readonly Structure[], field: () => string, errorsOf: ErrorsOf): readonly FieldError[] {
  const failed = parts.map(errorsOf).filter((errors) => errors.length > 0)
  if (failed.length === 0) return []
  const none = failed.length === parts.length ? '. None validated' : ''
  return [...failed.flat(), unnamed(`${field()} must validate all the schemas (allOf)${none}`)]
}

function unnamed(detail: string): FieldError {
  return invalidField('<nil>', '', detail)
}
