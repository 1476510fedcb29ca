import { duplicateField, type FieldError, forbiddenField, invalidField, requiredField } from '../field-error.ts'
import type { Container, Pod, PodSpec } from '../types/core-v1.ts'
import { validateContainer, validateHostPorts } from './container-validation.ts'
import { validateEphemeralContainers } from './ephemeral-container-validation.ts'
import { checkLabelName, checkLabels, checkOneOf, checkSubdomain } from './field-checks.ts'
import { validateLifecycle } from './handler-validation.ts'
import { validateProbes } from './probe-validation.ts'
import { repeated } from './repeated.ts'
import {
  validateAffinity,
  validateHostAliases,
  validateReadinessGates,
  validateSchedulingGates,
  validateSpread,
  validateUnplaced,
} from './scheduling-validation.ts'
import { validatePodSecurityContext } from './security-context-validation.ts'
import { isSidecar } from './sidecar.ts'
import { validateTolerations } from './toleration-validation.ts'
import { validateVolumes } from './volume-validation.ts'

const maxSeconds = 2_147_483_647
const seccompAnnotation = 'seccomp.security.alpha.kubernetes.io/pod'

export function validatePod({ metadata, spec }: Pod): readonly FieldError[] {
  return [
    ...validateSeccompAnnotation(metadata.annotations?.[seccompAnnotation]),
    ...validatePodSpec('spec', spec),
    ...validateUnplaced('spec', spec),
  ]
}

/** Older than the field, and still read. */
function validateSeccompAnnotation(profile: string | undefined): readonly FieldError[] {
  const isKnown = profile === undefined || /^(runtime\/default|docker\/default|unconfined|localhost\/.+)$/.test(profile)
  if (isKnown) return []
  return [invalidField(`metadata.annotations.${seccompAnnotation}`, profile, 'must be a valid seccomp profile')]
}

/** `field` is where the spec stands: templates of pods are held against the same rules. */
export function validatePodSpec(field: string, spec: PodSpec): readonly FieldError[] {
  const volumes = new Set((spec.volumes ?? []).map(({ name }) => name))
  return [
    ...validateVolumes(`${field}.volumes`, spec.volumes ?? []),
    ...validateContainers(`${field}.containers`, spec.containers ?? [], volumes),
    ...validateInitContainers(`${field}.initContainers`, spec, volumes),
    ...validateEphemeralContainers(`${field}.ephemeralContainers`, spec, volumes),
    ...checkOneOf(`${field}.restartPolicy`, spec.restartPolicy, ['Always', 'OnFailure', 'Never']),
    ...checkOneOf(`${field}.dnsPolicy`, spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...checkLabels(`${field}.nodeSelector`, spec.nodeSelector),
    ...validatePodSecurityContext(`${field}.securityContext`, spec),
    ...validateAffinity(field, spec),
    ...(spec.dnsPolicy === 'None' && (spec.dnsConfig?.nameservers ?? []).length === 0 ? [missingDns(field, spec)] : []),
    ...validateReadinessGates(field, spec),
    ...validateSchedulingGates(field, spec),
    ...validateSpread(field, spec),
    ...validateNames(field, spec),
    ...validateDeadline(`${field}.activeDeadlineSeconds`, spec.activeDeadlineSeconds),
    ...validateTolerations(`${field}.tolerations`, spec.tolerations ?? []),
    ...validateHostAliases(field, spec),
  ]
}

/** A pod without the cluster's name servers names its own. */
function missingDns(field: string, { dnsConfig }: PodSpec): FieldError {
  const setting = '`dnsPolicy` is None'
  return dnsConfig === undefined
    ? requiredField(`${field}.dnsConfig`, `must provide \`dnsConfig\` when ${setting}`)
    : requiredField(`${field}.dnsConfig.nameservers`, `must provide at least one DNS nameserver when ${setting}`)
}

function validateContainers(
  list: string,
  containers: readonly Container[],
  volumes: ReadonlySet<string>,
): readonly FieldError[] {
  if (containers.length === 0) return [requiredField(list)]
  const isTaken = repeated(containers.map(({ name }) => name))
  const errors = containers.flatMap((container, index) => {
    const field = `${list}[${index}]`
    return [
      ...validateContainer(field, container, volumes),
      ...(isTaken[index] ? [duplicateField(`${field}.name`, container.name)] : []),
      ...validateLasting(field, container),
      ...(container.restartPolicy === undefined
        ? []
        : [forbiddenField(`${field}.restartPolicy`, 'may not be set for non-init containers')]),
    ]
  })
  return [...errors, ...validateHostPorts(list, containers)]
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
      ...(isSidecar(container) ? validateLasting(field, container) : validateRunsOnce(field, container)),
    ]
  })
}

/** What only containers have that keep running. */
function validateLasting(field: string, container: Container): readonly FieldError[] {
  const { lifecycle } = container
  return [
    ...(lifecycle === undefined ? [] : validateLifecycle(`${field}.lifecycle`, lifecycle)),
    ...validateProbes(field, container),
  ]
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
