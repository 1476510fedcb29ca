import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from '../field-error.ts'
import type { Container, Pod, PodSpec, Volume } from '../types/core-v1.ts'
import { validateContainer } from './container-validation.ts'
import { checkLabelName, checkLabels, checkOneOf, checkSubdomain } from './field-checks.ts'
import { repeated } from './repeated.ts'
import { isSidecar } from './sidecar.ts'
import { validateTolerations } from './toleration-validation.ts'

const maxSeconds = 2_147_483_647

export function validatePod({ spec }: Pod): readonly FieldError[] {
  const volumes = new Set((spec.volumes ?? []).map(({ name }) => name))
  return [
    ...validateVolumes(spec.volumes ?? []),
    ...validateContainers(spec.containers ?? [], volumes),
    ...validateInitContainers(spec, volumes),
    ...checkOneOf('spec.restartPolicy', spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...checkOneOf('spec.dnsPolicy', spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...checkLabels('spec.nodeSelector', spec.nodeSelector),
    ...validateNames(spec),
    ...validateDeadline(spec.activeDeadlineSeconds),
    ...validateTolerations('spec.tolerations', spec.tolerations ?? []),
  ]
}

function validateVolumes(volumes: readonly Volume[]): readonly FieldError[] {
  const isTaken = repeated(volumes.map(({ name }) => name))
  return volumes.flatMap(({ name }, index) => {
    const field = `spec.volumes[${index}].name`
    return [
      ...(name === '' ? [requiredField(field)] : checkLabelName(field, name)),
      ...(isTaken[index] ? [duplicateField(field, name)] : []),
    ]
  })
}

function validateContainers(containers: readonly Container[], volumes: ReadonlySet<string>): readonly FieldError[] {
  if (containers.length === 0) return [requiredField('spec.containers')]
  const isTaken = repeated(containers.map(({ name }) => name))
  return containers.flatMap((container, index) => {
    const field = `spec.containers[${index}]`
    return [
      ...validateContainer(field, container, volumes),
      ...(isTaken[index] ? [duplicateField(`${field}.name`, container.name)] : []),
      ...(container.restartPolicy === undefined
        ? []
        : [forbiddenField(`${field}.restartPolicy`, 'may not be set for non-init containers')]),
    ]
  })
}

function validateInitContainers(spec: PodSpec, volumes: ReadonlySet<string>): readonly FieldError[] {
  const taken = new Set((spec.containers ?? []).map(({ name }) => name))
  return (spec.initContainers ?? []).flatMap((container, index) => {
    const field = `spec.initContainers[${index}]`
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

function validateNames({ serviceAccountName, nodeName, hostname, subdomain }: PodSpec): readonly FieldError[] {
  return [
    ...(serviceAccountName === undefined ? [] : checkSubdomain('spec.serviceAccountName', serviceAccountName)),
    ...(nodeName === undefined ? [] : checkSubdomain('spec.nodeName', nodeName)),
    ...(hostname === undefined ? [] : checkLabelName('spec.hostname', hostname)),
    ...(subdomain === undefined ? [] : checkLabelName('spec.subdomain', subdomain)),
  ]
}

function validateDeadline(seconds: number | undefined): readonly FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= maxSeconds)) return []
  return [invalidField('spec.activeDeadlineSeconds', seconds, `must be between 1 and ${maxSeconds}, inclusive`)]
}
