import { duplicateField, type FieldError, invalidField, notFoundField, requiredField } from '../field-error.ts'
import type { Container, ContainerPort } from '../types/core-v1.ts'
import { checkEach, checkLabelName, checkOneOf, checkPort, portNameProblems, protocols } from './field-checks.ts'
import { repeated } from './repeated.ts'

const environmentName = /^[ -<>-~]+$/

export function validateContainer(
  field: string,
  container: Container,
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  const { name, image, terminationMessagePolicy, imagePullPolicy } = container
  return [
    ...(name === '' ? [requiredField(`${field}.name`)] : checkLabelName(`${field}.name`, name)),
    ...(image === undefined ? [requiredField(`${field}.image`)] : []),
    ...checkOneOf(`${field}.terminationMessagePolicy`, terminationMessagePolicy, ['File', 'FallbackToLogsOnError']),
    ...validatePorts(`${field}.ports`, container.ports ?? []),
    ...validateEnvironment(`${field}.env`, container.env ?? []),
    ...validateMounts(`${field}.volumeMounts`, container.volumeMounts ?? [], volumes),
    ...checkOneOf(`${field}.imagePullPolicy`, imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
  ]
}

function validatePorts(field: string, ports: readonly ContainerPort[]): readonly FieldError[] {
  const isTaken = repeated(ports.map(({ name }) => name))
  return ports.flatMap((port, index) => {
    const { name, containerPort, hostPort, protocol } = port
    const path = `${field}[${index}]`
    return [
      ...(name === undefined ? [] : validatePortName(`${path}.name`, name, isTaken[index] ?? false)),
      ...(containerPort === 0
        ? [requiredField(`${path}.containerPort`)]
        : checkPort(`${path}.containerPort`, containerPort)),
      ...(hostPort === undefined ? [] : checkPort(`${path}.hostPort`, hostPort)),
      ...checkOneOf(`${path}.protocol`, protocol, protocols),
    ]
  })
}

function validatePortName(field: string, name: string, isTaken: boolean): readonly FieldError[] {
  const problems = portNameProblems(name)
  if (problems.length > 0) return checkEach(field, name, problems)
  return isTaken ? [duplicateField(field, name)] : []
}

function validateEnvironment(field: string, variables: NonNullable<Container['env']>): readonly FieldError[] {
  return variables.flatMap(({ name }, index) => {
    if (name === '') return [requiredField(`${field}[${index}].name`)]
    if (environmentName.test(name)) return []
    const detail = "a valid environment variable name must consist only of printable ASCII characters other than '='"
    return [invalidField(`${field}[${index}].name`, name, detail)]
  })
}

function validateMounts(
  field: string,
  mounts: NonNullable<Container['volumeMounts']>,
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  const isTaken = repeated(mounts.map(({ mountPath }) => mountPath))
  return mounts.flatMap(({ name, mountPath }, index) => {
    const path = `${field}[${index}]`
    return [
      ...(name === '' ? [requiredField(`${path}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFoundField(`${path}.name`, name)]),
      ...(mountPath === '' ? [requiredField(`${path}.mountPath`)] : []),
      ...(isTaken[index] ? [invalidField(`${path}.mountPath`, mountPath, 'must be unique')] : []),
    ]
  })
}
