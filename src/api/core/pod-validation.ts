import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from '../field-error.ts'
import type { Container, Pod, PodSpec, Volume } from '../types/core-v1.ts'
import { validateContainer } from './container-validation.ts'
import { checkLabelName, checkLabels, checkOneOf, checkSubdomain } from './field-checks.ts'
import { repeated } from './repeated.ts'
import { isSidecar } from './sidecar.ts'
import { validateTolerations } from './toleration-validation.ts'

const maxSeconds = 2_147_483_647

export function validatePod({ spec }: Pod): readonly FieldError[] {
  return validatePodSpec('spec', spec)
}

/** `field` is where the spec stands: templates of pods are held against the same rules. */
export function validatePodSpec(field: string, spec: PodSpec): readonly FieldError[] {
  const volumes = new Set((spec.volumes ?? []).map(({ name }) => name))
  return [
    ...validateVolumes(`${field}.volumes`, spec.volumes ?? []),
    ...validateContainers(`${field}.containers`, spec.containers ?? [], volumes),
    ...validateInitContainers(`${field}.initContainers`, spec, volumes),
    ...checkOneOf(`${field}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...checkOneOf(`${field}.dnsPolicy`, spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...checkLabels(`${field}.nodeSelector`, spec.nodeSelector),
    ...validateNames(field, spec),
    ...validateDeadline(`${field}.activeDeadlineSeconds`, spec.activeDeadlineSeconds),
    ...validateTolerations(`${field}.tolerations`, spec.tolerations ?? []),
  ]
}

function validateVolumes(list: string, volumes: readonly Volume[]): readonly FieldError[] {
  const isTaken = repeated(volumes.map(({ name }) => name))
  return volumes.flatMap(({ name }, index) => {
    const field = `${list}[${index}].name`
    return [
      ...(name === '' ? [requiredField(field)] : checkLabelName(field, name)),
      ...(isTaken[index] ? [duplicateField(field, name)] : []),
    ]
  })
}

function validateContainers(
  list: string,
  containers: readonly Container[],
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  if (containers.length === 0) return [requiredField(list)]
  const isTaken = repeated(containers.map(({ name }) => name))
  return containers.flatMap((container, index) => {
    const field = `${list}[${index}]`
    return [
      ...validateContainer(field, container, volumes),
      ...(isTaken[index] ? [duplicateField(`${field}.name`, container.name)] : []),
      ...(container.restartPolicy === undefined
        ? []
        : [forbiddenField(`${field}.restartPolicy`, 'may not be set for non-init containers')]),
    ]
  })
}

function validateInitContainers(list: string, spec: PodSpec, volumes: ReadonlySet<string>): readonly FieldError[] {
  const taken = new Set((spec.containers ?? []).map(({ name }) => name))
  return (spec.initContainers ?? []).flatMap((container, index) => {
    const field = `${list}[${index}]`
    const isTaken = taken.has(container.name)
    taken.add(container.name)
    return [
      ...validateContainer(field, container, volumes),
      ...(container.restartPolicy === undefined
        ? []
        : checkOneOf(`${field}.restartPolicy`, container.restartPolicy, ['Always'])),
      ...(isTaken ? [duplicateField(`${field}.name`, container.name)] : []),
      ...(isSidecar(container) ? [] : validateRunsOnce(field, container)),
    ]
  })
}

function validateRunsOnce(field: string, container: Container): readonly FieldError[] {
  return (['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const)
    .filter((member) => container[member] !== undefined)
    .map((member) =>
      forbiddenField(`${field}.${member}`, 'may not be set for init containers without restartPolicy=Always'),
    )
}

function validateNames(field: string, spec: PodSpec): readonly FieldError[] {
  const { serviceAccountName, nodeName, hostname, subdomain } = spec
  return [
    ...(serviceAccountName === undefined ? [] : checkSubdomain(`${field}.serviceAccountName`, serviceAccountName)),
    ...(nodeName === undefined ? [] : checkSubdomain(`${field}.nodeName`, nodeName)),
    ...(hostname === undefined ? [] : checkLabelName(`${field}.hostname`, hostname)),
    ...(subdomain === undefined ? [] : checkLabelName(`${field}.subdomain`, subdomain)),
  ]
}

function validateDeadline(field: string, seconds: number | undefined): readonly FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= maxSeconds)) return []
  return [invalidField(field, seconds, `must be between 1 and ${maxSeconds}, inclusive`)]
}
