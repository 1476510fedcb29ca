import {
  allErrors,
  duplicateField,
  duplicateFieldAs,
  errorsOfEach,
  type FieldError,
  invalidField,
  notSupportedFieldAs,
  requiredField,
} from '../../../field-error.ts'
import { shortened } from '../../../human/shortened.ts'
import type { Container, ContainerPort, ContainerResizePolicy, Volume } from '../../../types/core-v1.ts'
import { validateResources } from '../../amounts/resource-validation.ts'
import { checkEach, checkLabelName, checkOneOf, checkPort, portNameProblems, protocols } from '../../field-checks.ts'
import { validateSecurityContext } from '../security/security-context-validation.ts'
import { validateEnvironment, validateEnvironmentSources } from './environment-validation.ts'
import { validateDevices, validateMounts } from './mount-validation.ts'

/** What the rest of a Pod means for each of its containers. */
export interface ContainerSurroundings {
  readonly volumes: ReadonlyMap<string, Volume>
  readonly gracePeriodSeconds: number | undefined
  readonly restartPolicy: string | undefined
}

/** Rules for every container, however long it lives. */
export function validateContainer(
  field: string,
  container: Container,
  { volumes, restartPolicy }: ContainerSurroundings,
): readonly FieldError[] {
  const { name, image = '', terminationMessagePolicy, imagePullPolicy } = container
  return allErrors(
    name === '' ? [requiredField(`${field}.name`)] : checkLabelName(`${field}.name`, name),
    image === '' ? [requiredField(`${field}.image`)] : [],
    checkOneOf(`${field}.terminationMessagePolicy`, terminationMessagePolicy, ['File', 'FallbackToLogsOnError']),
    validatePorts(`${field}.ports`, container.ports ?? []),
    validateEnvironment(`${field}.env`, container.env ?? []),
    validateEnvironmentSources(`${field}.envFrom`, container.envFrom ?? []),
    validateMounts(`${field}.volumeMounts`, container, volumes),
    validateDevices(`${field}.volumeDevices`, container, volumes),
    checkOneOf(`${field}.imagePullPolicy`, imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
    validateResources(`${field}.resources`, container.resources),
    validateResizePolicies(`${field}.resizePolicy`, container.resizePolicy ?? [], restartPolicy),
    container.securityContext === undefined
      ? []
      : validateSecurityContext(`${field}.securityContext`, container.securityContext),
  )
}

/** Templates may contain images that their Pods are refused for. */
export function validateImage(field: string, image = ''): readonly FieldError[] {
  return image.trim() === image ? [] : [invalidField(field, image, 'must not have leading or trailing whitespace')]
}

/** Two ports of a pod cannot use the same host port. */
export function validateHostPorts(list: string, containers: readonly Container[]): readonly FieldError[] {
  const taken = new Set<string>()
  return errorsOfEach(containers, ({ ports = [] }, at) =>
    errorsOfEach(ports, ({ hostPort = 0, hostIP = '', protocol }, index) => {
      if (hostPort === 0) return []
      const key = `${protocol}/${hostIP}/${hostPort}`
      if (taken.has(key)) return [duplicateField(`${list}[${at}].ports[${index}].hostPort`, key)]
      taken.add(key)
      return []
    }),
  )
}

function validatePorts(field: string, ports: readonly ContainerPort[]): readonly FieldError[] {
  const taken = new Set<string>()
  return errorsOfEach(ports, (port, index) => {
    const { name = '', containerPort, hostPort = 0, protocol } = port
    const path = `${field}[${index}]`
    return allErrors(
      name === '' ? [] : validatePortName(`${path}.name`, name, taken),
      containerPort === 0
        ? [requiredField(`${path}.containerPort`)]
        : checkPort(`${path}.containerPort`, containerPort),
      hostPort === 0 ? [] : checkPort(`${path}.hostPort`, hostPort),
      checkOneOf(`${path}.protocol`, protocol, protocols),
    )
  })
}

function validatePortName(field: string, name: string, taken: Set<string>): readonly FieldError[] {
  const problems = portNameProblems(name)
  if (problems.length > 0) return checkEach(field, name, problems)
  if (taken.has(name)) return [duplicateField(field, name)]
  taken.add(name)
  return []
}

const resizable = ['cpu', 'memory']
const resizePolicies = ['NotRequired', 'RestartContainer']

/** Reported for the list: Kubernetes does not say for which entry. */
function validateResizePolicies(
  list: string,
  policies: readonly ContainerResizePolicy[],
  podPolicy: string | undefined,
): readonly FieldError[] {
  const seen = new Set<string>()
  const neverRestarts = "must be 'NotRequired' when `restartPolicy` is 'Never'"
  return errorsOfEach(policies, ({ resourceName, restartPolicy }, index) => {
    const isRepeated = seen.has(resourceName)
    seen.add(resourceName)
    return allErrors(
      isRepeated ? [duplicateFieldAs(`${list}[${index}]`, shortened(resourceName))] : [],
      checkNamed(list, resourceName, resizable),
      checkOneOf(list, restartPolicy, resizePolicies),
      podPolicy === 'Never' && restartPolicy !== 'NotRequired'
        ? [invalidField(list, restartPolicy, neverRestarts)]
        : [],
    )
  })
}

/** Names of resources are reported without quotes. */
function checkNamed(field: string, name: string, supported: readonly string[]): readonly FieldError[] {
  if (name === '') return [requiredField(field)]
  return supported.includes(name) ? [] : [notSupportedFieldAs(field, shortened(name), supported)]
}
