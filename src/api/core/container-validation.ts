import { duplicateField, type FieldError, invalidField, notFoundField, requiredField } from '../field-error.ts'
import type { Container, ContainerPort } from '../types/core-v1.ts'
import { validateEnvironment, validateEnvironmentSources } from './environment-validation.ts'
import { checkEach, checkLabelName, checkOneOf, checkPort, portNameProblems, protocols } from './field-checks.ts'
import { checkInnerPath } from './path-checks.ts'
import { repeated } from './repeated.ts'
import { validateResources } from './resource-validation.ts'
import { validateSecurityContext } from './security-context-validation.ts'

export function validateContainer(
  field: string,
  container: Container,
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  const { name, image, terminationMessagePolicy, imagePullPolicy } = container
  return [
    ...(name === '' ? [requiredField(`${field}.name`)] : checkLabelName(`${field}.name`, name)),
    ...validateImage(`${field}.image`, image),
    ...checkOneOf(`${field}.terminationMessagePolicy`, terminationMessagePolicy, ['File', 'FallbackToLogsOnError']),
    ...validatePorts(`${field}.ports`, container.ports ?? []),
    ...validateEnvironment(`${field}.env`, container.env ?? []),
    ...validateEnvironmentSources(`${field}.envFrom`, container.envFrom ?? []),
    ...validateMounts(`${field}.volumeMounts`, container.volumeMounts ?? [], volumes),
    ...checkOneOf(`${field}.imagePullPolicy`, imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
    ...validateResources(`${field}.resources`, container.resources),
    ...validateSecurityContext(`${field}.securityContext`, container.securityContext ?? {}),
  ]
}

function validateImage(field: string, image: string | undefined): readonly FieldError[] {
  if (image === undefined) return [requiredField(field)]
  return image.trim() === image ? [] : [invalidField(field, image, 'must not have leading or trailing whitespace')]
}

/** Two ports of a pod cannot be the same one of its node. */
export function validateHostPorts(list: string, containers: readonly Container[]): readonly FieldError[] {
  const taken = new Set<string>()
  return containers.flatMap(({ ports = [] }, at) =>
    ports.flatMap(({ hostPort = 0, hostIP = '', protocol }, index) => {
      if (hostPort === 0) return []
      const key = `${protocol}/${hostIP}/${hostPort}`
      if (taken.has(key)) return [duplicateField(`${list}[${at}].ports[${index}].hostPort`, key)]
      taken.add(key)
      return []
    }),
  )
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

function validateMounts(
  field: string,
  mounts: NonNullable<Container['volumeMounts']>,
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  const isTaken = repeated(mounts.map(({ mountPath }) => mountPath))
  return mounts.flatMap(({ name, mountPath, subPath = '', subPathExpr = '' }, index) => {
    const path = `${field}[${index}]`
    return [
      ...(name === '' ? [requiredField(`${path}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFoundField(`${path}.name`, name)]),
      ...(mountPath === '' ? [requiredField(`${path}.mountPath`)] : []),
      ...(isTaken[index] ? [invalidField(`${path}.mountPath`, mountPath, 'must be unique')] : []),
      ...checkInnerPath(`${field}.subPath`, subPath),
      ...(subPath !== '' && subPathExpr !== ''
        ? [invalidField(`${path}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive')]
        : checkInnerPath(`${field}.subPathExpr`, subPathExpr)),
    ]
  })
}
