import { allErrors, type FieldError, invalidField, notSupportedField } from '../../../field-error.ts'
import type { PodSecurityContext, PodSpec, SecurityContext } from '../../../types/core-v1.ts'
import { validateAppArmor, validateSeccomp } from './confinement-validation.ts'
import { validateSysctls } from './sysctl-validation.ts'
import { validateWindowsOptions } from './windows-validation.ts'

const maxId = 2_147_483_647
const changePolicies = ['Always', 'OnRootMismatch']

export function validatePodSecurityContext(field: string, spec: PodSpec): readonly FieldError[] {
  const context: PodSecurityContext = spec.securityContext ?? {}
  const { runAsUser, runAsGroup, fsGroup, fsGroupChangePolicy: policy, supplementalGroups = [] } = context
  const { seccompProfile, windowsOptions, appArmorProfile } = context
  return allErrors(
    checkId(`${field}.fsGroup`, fsGroup),
    checkId(`${field}.runAsUser`, runAsUser),
    checkId(`${field}.runAsGroup`, runAsGroup),
    supplementalGroups.flatMap((group, index) => checkId(`${field}.supplementalGroups[${index}]`, group)),
    validateSharing(field, spec),
    validateSysctls(`${field}.sysctls`, context.sysctls ?? [], spec),
    policy === undefined || changePolicies.includes(policy)
      ? []
      : [notSupportedField(`${field}.fsGroupChangePolicy`, policy, changePolicies)],
    seccompProfile === undefined ? [] : validateSeccomp(`${field}.seccompProfile`, seccompProfile),
    windowsOptions === undefined ? [] : validateWindowsOptions(`${field}.windowsOptions`, windowsOptions),
    appArmorProfile === undefined ? [] : validateAppArmor(`${field}.appArmorProfile`, appArmorProfile),
  )
}

export function validateSecurityContext(field: string, context: SecurityContext): readonly FieldError[] {
  const { runAsUser, runAsGroup, privileged, allowPrivilegeEscalation, capabilities } = context
  const { seccompProfile, windowsOptions, appArmorProfile } = context
  const contradictory = (what: string) =>
    invalidField(field, context, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`)
  const refusesEscalation = allowPrivilegeEscalation === false
  return allErrors(
    checkId(`${field}.runAsUser`, runAsUser),
    checkId(`${field}.runAsGroup`, runAsGroup),
    seccompProfile === undefined ? [] : validateSeccomp(`${field}.seccompProfile`, seccompProfile),
    refusesEscalation && privileged === true ? [contradictory('`privileged` to true')] : [],
    refusesEscalation && capabilities?.add?.includes('CAP_SYS_ADMIN') === true
      ? [contradictory('`capabilities.Add` CAP_SYS_ADMIN')]
      : [],
    windowsOptions === undefined ? [] : validateWindowsOptions(`${field}.windowsOptions`, windowsOptions),
    appArmorProfile === undefined ? [] : validateAppArmor(`${field}.appArmorProfile`, appArmorProfile),
  )
}

/** The id of a user or a group. */
function checkId(field: string, id: number | undefined): readonly FieldError[] {
  if (id === undefined || (id >= 0 && id <= maxId)) return []
  return [invalidField(field, id, `must be between 0 and ${maxId}, inclusive`)]
}

function validateSharing(field: string, { shareProcessNamespace, hostPID }: PodSpec): readonly FieldError[] {
  if (shareProcessNamespace !== true || hostPID !== true) return []
  const problem = 'ShareProcessNamespace and HostPID cannot both be enabled'
  return [invalidField(`${field}.shareProcessNamespace`, true, problem)]
}
