import { type FieldError, invalidField, notSupportedField, requiredField } from '../field-error.ts'
import type { PodSecurityContext, PodSpec, SeccompProfile, SecurityContext } from '../types/core-v1.ts'
import { checkInnerPath } from './path-checks.ts'

const maxId = 2_147_483_647
const seccompTypes = ['Localhost', 'RuntimeDefault', 'Unconfined']

export function validatePodSecurityContext(field: string, spec: PodSpec): readonly FieldError[] {
  const context: PodSecurityContext = spec.securityContext ?? {}
  const { runAsUser, runAsGroup, fsGroup, fsGroupChangePolicy, seccompProfile, supplementalGroups = [] } = context
  return [
    ...checkId(`${field}.fsGroup`, fsGroup),
    ...checkId(`${field}.runAsUser`, runAsUser),
    ...checkId(`${field}.runAsGroup`, runAsGroup),
    ...supplementalGroups.flatMap((group, index) => checkId(`${field}.supplementalGroups[${index}]`, group)),
    ...validateSharing(field, spec),
    ...validateChangePolicy(`${field}.fsGroupChangePolicy`, fsGroupChangePolicy),
    ...(seccompProfile === undefined ? [] : validateSeccomp(`${field}.seccompProfile`, seccompProfile)),
  ]
}

export function validateSecurityContext(field: string, context: SecurityContext): readonly FieldError[] {
  const { runAsUser, runAsGroup, privileged, allowPrivilegeEscalation, seccompProfile, capabilities } = context
  const contradictory = (what: string) =>
    invalidField(field, context, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`)
  const refusesEscalation = allowPrivilegeEscalation === false
  return [
    ...checkId(`${field}.runAsUser`, runAsUser),
    ...checkId(`${field}.runAsGroup`, runAsGroup),
    ...(seccompProfile === undefined ? [] : validateSeccomp(`${field}.seccompProfile`, seccompProfile)),
    ...(refusesEscalation && privileged === true ? [contradictory('`privileged` to true')] : []),
    ...(refusesEscalation && capabilities?.add?.includes('CAP_SYS_ADMIN') === true
      ? [contradictory('`capabilities.Add` CAP_SYS_ADMIN')]
      : []),
  ]
}

function checkId(field: string, id: number | undefined): readonly FieldError[] {
  if (id === undefined || (id >= 0 && id <= maxId)) return []
  return [invalidField(field, id, `must be between 0 and ${maxId}, inclusive`)]
}

function validateSharing(field: string, { shareProcessNamespace, hostPID }: PodSpec): readonly FieldError[] {
  if (shareProcessNamespace !== true || hostPID !== true) return []
  const problem = 'ShareProcessNamespace and HostPID cannot both be enabled'
  return [invalidField(`${field}.shareProcessNamespace`, true, problem)]
}

function validateChangePolicy(field: string, policy: string | undefined): readonly FieldError[] {
  const supported = ['Always', 'OnRootMismatch']
  return policy === undefined || supported.includes(policy) ? [] : [notSupportedField(field, policy, supported)]
}

function validateSeccomp(field: string, { type, localhostProfile }: SeccompProfile): readonly FieldError[] {
  if (!seccompTypes.includes(type)) return [notSupportedField(`${field}.type`, type, seccompTypes)]
  const path = `${field}.localhostProfile`
  if (type === 'Localhost') {
    return localhostProfile === undefined
      ? [requiredField(path, 'must be set when seccomp type is Localhost')]
      : checkInnerPath(path, localhostProfile)
  }
  return localhostProfile === undefined
    ? []
    : [invalidField(path, localhostProfile, 'can only be set when seccomp type is Localhost')]
}
