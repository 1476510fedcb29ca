import { type FieldError, invalidField, requiredField } from '../field-error.ts'
import type { Container, EnvFromSource } from '../types/core-v1.ts'
import { checkSubdomain } from './field-checks.ts'

const environmentName = /^[ -<>-~]+$/
const advice = "a valid environment variable name must consist only of printable ASCII characters other than '='"

export function validateEnvironment(field: string, variables: NonNullable<Container['env']>): readonly FieldError[] {
  return variables.flatMap(({ name }, index) => {
    if (name === '') return [requiredField(`${field}[${index}].name`)]
    return environmentName.test(name) ? [] : [invalidField(`${field}[${index}].name`, name, advice)]
  })
}

export function validateEnvironmentSources(list: string, sources: readonly EnvFromSource[]): readonly FieldError[] {
  return sources.flatMap((source, index) => {
    const field = `${list}[${index}]`
    const { prefix = '', configMapRef, secretRef } = source
    return [
      ...(prefix === '' || environmentName.test(prefix) ? [] : [invalidField(`${field}.prefix`, prefix, advice)]),
      ...(configMapRef === undefined ? [] : validateName(`${field}.configMapRef.name`, configMapRef.name ?? '')),
      ...(secretRef === undefined ? [] : validateName(`${field}.secretRef.name`, secretRef.name ?? '')),
      ...validateCount(list, [configMapRef, secretRef].filter((each) => each !== undefined).length),
    ]
  })
}

function validateName(field: string, name: string): readonly FieldError[] {
  return name === '' ? [requiredField(field)] : checkSubdomain(field, name)
}

function validateCount(list: string, count: number): readonly FieldError[] {
  if (count === 1) return []
  const problem =
    count === 0
      ? 'must specify one of: `configMapRef` or `secretRef`'
      : 'may not have more than one field specified at a time'
  return [invalidField(list, '', problem)]
}
