import {
  allErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../field-error.ts'
import type { Pod, PodSpec } from '../../types/core-v1.ts'
import { validateResources } from '../amounts/resource-validation.ts'
import { checkLabelName, checkLabels, checkOneOf, checkSubdomain } from '../field-checks.ts'
import { validateTolerations } from '../nodes/toleration-validation.ts'
import { validateVolumes } from '../volumes/volume-validation.ts'
import { validateContainers, validateInitContainers } from './containers/container-lists-validation.ts'
import { validateImage } from './containers/container-validation.ts'
import { validateDns } from './dns-validation.ts'
import { validateEphemeralContainers } from './ephemeral-container-validation.ts'
import { validatePodAnnotations, validateRepeatedProfiles } from './pod-annotations.ts'
import {
  validateAffinity,
  validateHostAliases,
  validateReadinessGates,
  validateSchedulingGates,
  validateUnplaced,
} from './scheduling/scheduling-validation.ts'
import { validateSpread } from './scheduling/topology-spread-validation.ts'
import { validatePodSecurityContext } from './security/security-context-validation.ts'
import { validateHostProcesses, validateSystem } from './security/windows-validation.ts'

const maxSeconds = 2_147_483_647
const preemptionPolicies = ['PreemptLowerPriority', 'Never']
const systems = ['linux', 'windows']

/** A spec that a status update leaves unchanged has been validated before. */
export function validatePod(pod: Pod, old?: Pod): readonly FieldError[] {
  if (old === undefined) return allErrors(validateWhole(pod), validateNew(pod))
  return pod.spec === old.spec ? [] : validateWhole(pod)
}

function validateWhole({ metadata, spec }: Pod): readonly FieldError[] {
  return allErrors(
    validatePodAnnotations('metadata.annotations', metadata.annotations, spec),
    validatePodSpec('spec', spec, metadata),
    validateTokens('spec', spec),
    (['containers', 'initContainers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap(({ image }, index) => validateImage(`spec.${list}[${index}].image`, image)),
    ),
  )
}

function validateNew({ metadata, spec }: Pod): readonly FieldError[] {
  return allErrors(
    spec.ephemeralContainers === undefined
      ? []
      : [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')],
    validateUnplaced('spec', spec),
    validateRepeatedProfiles('spec', metadata.annotations, spec),
  )
}

/** A token requires an account. */
function validateTokens(field: string, { serviceAccountName = '', volumes = [] }: PodSpec): readonly FieldError[] {
  if (serviceAccountName !== '') return []
  return volumes.flatMap(({ projected }, index) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, at) =>
      serviceAccountToken === undefined
        ? []
        : [
            forbiddenField(
              `${field}.volumes[${index}].projected.sources[${at}].serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          ],
    ),
  )
}

/** `field` is the path of the spec: the same rules apply to pod templates, which have no `pod` yet. */
export function validatePodSpec(field: string, spec: PodSpec, pod?: Pod['metadata']): readonly FieldError[] {
  const { errors, usable: volumes } = validateVolumes(`${field}.volumes`, spec.volumes ?? [], pod?.name)
  const { terminationGracePeriodSeconds: gracePeriodSeconds, restartPolicy } = spec
  const surroundings = { volumes, gracePeriodSeconds, restartPolicy }
  return allErrors(
    errors,
    validateContainers(`${field}.containers`, spec.containers ?? [], surroundings),
    validateInitContainers(`${field}.initContainers`, spec, surroundings),
    validateEphemeralContainers(`${field}.ephemeralContainers`, spec, surroundings),
    validateHostNetwork(`${field}.containers`, spec, pod !== undefined),
    checkOneOf(`${field}.restartPolicy`, restartPolicy, ['Always', 'OnFailure', 'Never']),
    checkOneOf(`${field}.dnsPolicy`, spec.dnsPolicy, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    checkLabels(`${field}.nodeSelector`, spec.nodeSelector),
    validatePodSecurityContext(`${field}.securityContext`, spec),
    validateAffinity(field, spec),
    validateDns(`${field}.dnsConfig`, spec),
    validateReadinessGates(field, spec),
    validateSchedulingGates(field, spec),
    validateSpread(`${field}.topologySpreadConstraints`, spec.topologySpreadConstraints ?? []),
    validateHostProcesses(field, spec),
    validateNames(field, spec),
    validateTolerations(`${field}.tolerations`, spec.tolerations ?? []),
    validateHostAliases(field, spec),
    validateClasses(field, spec),
    validateOs(field, spec),
  )
}

/** On the host network, container ports are host ports. */
function validateHostNetwork(list: string, spec: PodSpec, isPod: boolean): readonly FieldError[] {
  if (spec.hostNetwork !== true) return []
  return (spec.containers ?? []).flatMap(({ ports = [] }, at) =>
    ports.flatMap(({ hostPort = 0, containerPort }, index) =>
      hostPort === containerPort || (!isPod && hostPort === 0)
        ? []
        : [
            invalidField(
              `${list}[${at}].ports[${index}].hostPort`,
              hostPort,
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ],
    ),
  )
}

function validateNames(field: string, spec: PodSpec): readonly FieldError[] {
  const { serviceAccountName, nodeName, hostname, subdomain } = spec
  return allErrors(
    serviceAccountName === undefined ? [] : checkSubdomain(`${field}.serviceAccountName`, serviceAccountName),
    nodeName === undefined ? [] : checkSubdomain(`${field}.nodeName`, nodeName),
    validateDeadline(`${field}.activeDeadlineSeconds`, spec.activeDeadlineSeconds),
    hostname === undefined ? [] : checkLabelName(`${field}.hostname`, hostname),
    subdomain === undefined ? [] : checkLabelName(`${field}.subdomain`, subdomain),
  )
}

function validateClasses(field: string, spec: PodSpec): readonly FieldError[] {
  const { priorityClassName, runtimeClassName, preemptionPolicy, overhead } = spec
  const path = `${field}.preemptionPolicy`
  return allErrors(
    priorityClassName === undefined ? [] : checkSubdomain(`${field}.priorityClassName`, priorityClassName),
    runtimeClassName === undefined ? [] : checkSubdomain(`${field}.runtimeClassName`, runtimeClassName),
    preemptionPolicy === undefined ? [] : checkOneOf(path, preemptionPolicy, preemptionPolicies),
    overhead === undefined ? [] : validateResources(`${field}.overhead`, { limits: overhead }),
  )
}

function validateOs(field: string, spec: PodSpec): readonly FieldError[] {
  if (spec.os === undefined) return []
  const { name } = spec.os
  if (name === '') return [requiredField(`${field}.os.name`, 'cannot be empty')]
  return systems.includes(name) ? validateSystem(field, spec) : [notSupportedField(`${field}.os`, name, systems)]
}

function validateDeadline(field: string, seconds: number | undefined): readonly FieldError[] {
  if (seconds === undefined || (seconds >= 1 && seconds <= maxSeconds)) return []
  return [invalidField(field, seconds, `must be between 1 and ${maxSeconds}, inclusive`)]
}
