import { allErrors, errorsOfEach, type FieldError, invalidField, requiredField } from '../../../field-error.ts'
import { validateNamePrefix } from '../../../names.ts'
import type {
  ConfigMapKeySelector,
  Container,
  EnvFromSource,
  EnvVar,
  SecretKeySelector,
} from '../../../types/core-v1.ts'
import { checkFieldReference, checkResourceReference } from '../../downward-validation.ts'
import { checkEach, checkSubdomain, dataKeyProblems } from '../../field-checks.ts'

const environmentName = /^[ -<>-~]+$/
const advice = "a valid environment variable name must consist only of printable ASCII characters other than '='"
const severalSources = 'may not have more than one field specified at a time'

const ofVariables = [
  ...['metadata.name', 'metadata.namespace', 'metadata.uid', 'spec.nodeName', 'spec.serviceAccountName'],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
]

export function validateEnvironment(list: string, variables: NonNullable<Container['env']>): readonly FieldError[] {
  return errorsOfEach(variables, (variable, index) => {
    const field = `${list}[${index}]`
    return allErrors(validateName(`${field}.name`, variable.name), validateOrigin(`${field}.valueFrom`, variable))
  })
}

function validateName(field: string, name: string): readonly FieldError[] {
  if (name === '') return [requiredField(field)]
  return environmentName.test(name) ? [] : [invalidField(field, name, advice)]
}

/** A value is given literally, or comes from one source. */
function validateOrigin(field: string, { value = '', valueFrom }: EnvVar): readonly FieldError[] {
  if (valueFrom === undefined) return []
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter((each) => each !== undefined).length
  return allErrors(
    fieldRef === undefined ? [] : checkFieldReference(`${field}.fieldRef`, fieldRef, ofVariables),
    resourceFieldRef === undefined ? [] : checkResourceReference(`${field}.resourceFieldRef`, resourceFieldRef, false),
    configMapKeyRef === undefined ? [] : validateKey(`${field}.configMapKeyRef`, configMapKeyRef),
    secretKeyRef === undefined ? [] : validateKey(`${field}.secretKeyRef`, secretKeyRef),
    originProblem(count, value).map((problem) => invalidField(field, '', problem)),
  )
}

function originProblem(count: number, value: string): readonly string[] {
  if (count === 0) return ['must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`']
  if (value !== '') return ['may not be specified when `value` is not empty']
  return count > 1 ? [severalSources] : []
}

function validateKey(field: string, { name = '', key }: ConfigMapKeySelector | SecretKeySelector) {
  return allErrors(
    checkSubdomain(`${field}.name`, name),
    key === '' ? [requiredField(`${field}.key`)] : checkEach(`${field}.key`, key, dataKeyProblems(key)),
  )
}

export function validateEnvironmentSources(list: string, sources: readonly EnvFromSource[]): readonly FieldError[] {
  return errorsOfEach(sources, (source, index) => {
    const field = `${list}[${index}]`
    const { prefix = '', configMapRef, secretRef } = source
    return allErrors(
      prefix === '' || environmentName.test(prefix) ? [] : [invalidField(`${field}.prefix`, prefix, advice)],
      configMapRef === undefined ? [] : validateReference(`${field}.configMapRef.name`, configMapRef.name ?? ''),
      secretRef === undefined ? [] : validateReference(`${field}.secretRef.name`, secretRef.name ?? ''),
      validateCount(list, [configMapRef, secretRef].filter((each) => each !== undefined).length),
    )
  })
}

/** A name, or a prefix of one. */
function validateReference(field: string, name: string): readonly FieldError[] {
  return name === '' ? [requiredField(field)] : checkEach(field, name, validateNamePrefix('dns-subdomain', name))
}

function validateCount(list: string, count: number): readonly FieldError[] {
  if (count === 1) return []
  return [invalidField(list, '', count === 0 ? 'must specify one of: `configMapRef` or `secretRef`' : severalSources)]
}
