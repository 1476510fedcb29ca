import { allErrors, type FieldError, forbiddenField, invalidField } from '../../../field-error.ts'
import type { PodSpec, WindowsSecurityContextOptions } from '../../../types/core-v1.ts'
import { utf8Length } from '../../../utf8-length.ts'
import { checkSubdomain } from '../../field-checks.ts'
import { allContainers } from '../pod-containers.ts'

const mostKibOfSpec = 64
const longestDomain = 256
const longestUser = 104

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const control = /[\x00-\x1f\x7f]/
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/
const dnsLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'
const dnsName = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`)
const notInUsers = /["/\\:;|=,+*?<>@[\]]/

export function validateWindowsOptions(field: string, options: WindowsSecurityContextOptions): readonly FieldError[] {
  const { gmsaCredentialSpecName: specName, gmsaCredentialSpec: spec, runAsUserName: user } = options
  return allErrors(
    specName === undefined ? [] : checkSubdomain(`${field}.gmsaCredentialSpecName`, specName),
    spec === undefined ? [] : validateSpec(`${field}.gmsaCredentialSpec`, spec),
    user === undefined ? [] : userProblems(user).map((told) => invalidField(`${field}.runAsUserName`, user, told)),
  )
}

function validateSpec(field: string, spec: string): readonly FieldError[] {
  if (spec === '') return [invalidField(field, spec, 'gmsaCredentialSpec cannot be an empty string')]
  if (utf8Length(spec) <= mostKibOfSpec * 1024) return []
  return [invalidField(field, spec, `gmsaCredentialSpec size must be under ${mostKibOfSpec} KiB`)]
}

/** A user, optionally preceded by a domain and a backslash. */
function userProblems(text: string): readonly string[] {
  if (text === '') return ['runAsUserName cannot be an empty string']
  if (control.test(text)) return ['runAsUserName cannot contain control characters']
  const parts = text.split('\\')
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash']
  const user = parts.at(-1) ?? ''
  return [...(parts.length === 2 ? domainProblems(parts[0] ?? '') : []), ...accountProblems(user)]
}

function domainProblems(domain: string): readonly string[] {
  const isTooLong = utf8Length(domain) >= longestDomain
  const isName = netBios.test(domain) || dnsName.test(domain)
  return [
    ...(isTooLong ? [`runAsUserName's Domain length must be under ${longestDomain} characters`] : []),
    ...(isName ? [] : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
  ]
}

function accountProblems(user: string): readonly string[] {
  const problems: [boolean, string][] = [
    [user === '', "runAsUserName's User cannot be empty"],
    [utf8Length(user) > longestUser, `runAsUserName's User length must not be longer than ${longestUser} characters`],
    [/^[. ]+$/.test(user), "runAsUserName's User cannot contain only periods or spaces"],
    [notInUsers.test(user), 'runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]'],
  ]
  return problems.filter(([holds]) => holds).map(([, told]) => told)
}

/** Host process containers: all of a Pod or none, and only on the host network. */
export function validateHostProcesses(field: string, spec: PodSpec): readonly FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess
  const containers = allContainers(field, spec).map(({ at, container }) => ({
    at,
    own: container.securityContext?.windowsOptions?.hostProcess,
  }))
  const count = containers.filter(({ own }) => own ?? ofPod ?? false).length
  const allOrNone = 'If pod contains any hostProcess containers then all containers must be HostProcess containers'
  const onNetwork = 'hostNetwork must be true if pod contains any hostProcess containers'
  return allErrors(
    containers.flatMap(({ at, own }) =>
      own === undefined || ofPod === undefined || own === ofPod ? [] : [differs(at, own, ofPod)],
    ),
    count > 0 && count !== containers.length ? [invalidField(field, '', allOrNone)] : [],
    count > 0 && spec.hostNetwork !== true ? [invalidField(`${field}.hostNetwork`, false, onNetwork)] : [],
  )
}

function differs(at: string, own: boolean, ofPod: boolean): FieldError {
  const problem = `pod hostProcess value must be identical if both are specified, was ${ofPod}`
  return invalidField(`${at}.securityContext.windowsOptions.hostProcess`, own, problem)
}

/** Settings for one operating system are not allowed in a Pod for the other. */
export function validateSystem(field: string, spec: PodSpec): readonly FieldError[] {
  return spec.os?.name === 'windows' ? validateForWindows(field, spec) : validateForLinux(field, spec)
}

function validateForLinux(field: string, spec: PodSpec): readonly FieldError[] {
  const places = [
    { at: field, options: spec.securityContext?.windowsOptions },
    ...allContainers(field, spec).map(({ at, container }) => ({
      at,
      options: container.securityContext?.windowsOptions,
    })),
  ]
  return places
    .filter(({ options }) => options !== undefined)
    .map(({ at }) =>
      forbiddenField(`${at}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod'),
    )
}

function validateForWindows(field: string, spec: PodSpec): readonly FieldError[] {
  const { securityContext: context = {} } = spec
  const ofPod: [string, unknown][] = [
    ['securityContext.appArmorProfile', context.appArmorProfile],
    ['securityContext.seLinuxOptions', context.seLinuxOptions],
    ['hostUsers', spec.hostUsers],
    ['hostPID', spec.hostPID === true || undefined],
    ['hostIPC', spec.hostIPC === true || undefined],
    ['securityContext.seccompProfile', context.seccompProfile],
    ['securityContext.fsGroup', context.fsGroup],
    ['securityContext.fsGroupChangePolicy', context.fsGroupChangePolicy],
    ['securityContext.sysctls', context.sysctls],
    ['shareProcessNamespace', spec.shareProcessNamespace],
    ['securityContext.runAsUser', context.runAsUser],
    ['securityContext.runAsGroup', context.runAsGroup],
    ['securityContext.supplementalGroups', context.supplementalGroups],
  ]
  return allErrors(
    ofPod.filter(([, value]) => value !== undefined).map(([member]) => foreign(`${field}.${member}`)),
    allContainers(field, spec).flatMap(({ at, container: { securityContext = {} } }) =>
      ofLinux
        .filter((member) => securityContext[member] !== undefined)
        .map((member) => foreign(`${at}.securityContext.${member}`)),
    ),
  )
}

const ofLinux = [
  ...(['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem'] as const),
  ...(['privileged', 'allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup'] as const),
]

function foreign(field: string): FieldError {
  return forbiddenField(field, 'cannot be set for a windows pod')
}
