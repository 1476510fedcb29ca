import type { SELinuxOptions } from '../../../api/types/core-v1.ts'
import { type CheckedPod, containersOf, containersWith, type SecurityCheck, type Violation } from './check.ts'
import { containersNamed, plural, quotedList, setters } from './wording.ts'

const capabilities =
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'
const defaultCapabilities: ReadonlySet<string> = new Set(capabilities.split(' '))
const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/'
type Since = readonly (readonly [minor: number, names: readonly string[]])[]

/** By the minor version that began to allow them. */
const sysctlsSince: Since = [
  [
    0,
    [
      'kernel.shm_rmid_forced',
      'net.ipv4.ip_local_port_range',
      'net.ipv4.ip_unprivileged_port_start',
      'net.ipv4.ping_group_range',
      'net.ipv4.tcp_syncookies',
    ],
  ],
  [27, ['net.ipv4.ip_local_reserved_ports']],
  [
    29,
    [
      'net.ipv4.tcp_fin_timeout',
      'net.ipv4.tcp_keepalive_intvl',
      'net.ipv4.tcp_keepalive_probes',
      'net.ipv4.tcp_keepalive_time',
    ],
  ],
  [32, ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']],
]
const seLinuxTypesSince: Since = [
  [0, ['', 'container_t', 'container_init_t', 'container_kvm_t']],
  [31, ['container_engine_t']],
]
const podSeccompAnnotation = 'seccomp.security.alpha.kubernetes.io/pod'
const containerSeccompAnnotation = 'container.seccomp.security.alpha.kubernetes.io/'

function allowedIn(minor: number, since: Since): ReadonlySet<string> {
  return new Set(since.flatMap(([first, names]) => (first <= minor ? names : [])))
}

/** Known ways to escape a container, in the order in which violations are reported. */
export const baselineChecks: readonly SecurityCheck[] = [
  { id: 'appArmorProfile', since: 0, find: appArmor },
  { id: 'capabilities_baseline', since: 0, find: addedCapabilities },
  { id: 'hostNamespaces', since: 0, find: hostNamespaces },
  { id: 'hostPathVolumes', since: 0, find: hostPaths },
  { id: 'hostPorts', since: 0, find: hostPorts },
  { id: 'privileged', since: 0, find: privileged },
  { id: 'procMount', since: 0, find: procMount },
  { id: 'seLinuxOptions', since: 0, find: seLinux },
  { id: 'seccompProfile_baseline', since: 0, find: unconfined },
  { id: 'sysctls', since: 0, find: sysctls },
  { id: 'windowsHostProcess', since: 0, find: windowsHostProcess },
]

function appArmor(pod: CheckedPod): Violation | undefined {
  const isUnconfined = (type: string | undefined) => type === 'Unconfined'
  const isPod = isUnconfined(pod.spec.securityContext?.appArmorProfile?.type)
  const names = containersWith(pod, ({ appArmorProfile }) => isUnconfined(appArmorProfile?.type))
  const annotated = Object.entries(pod.metadata.annotations ?? {}).filter(
    ([key, value]) => key.startsWith(appArmorAnnotation) && !isAllowedAppArmor(value),
  )
  if (!isPod && names.length === 0 && annotated.length === 0) return undefined
  const who = [setters(isPod, names), annotated.length === 0 ? '' : plural('annotation', annotated)]
  const values = [
    ...(isPod || names.length > 0 ? ['Unconfined'] : []),
    ...annotated.map(([key, value]) => `${key}="${value}"`).sort(),
  ]
  return {
    reason: plural('forbidden AppArmor profile', values),
    detail: `${who.filter((each) => each !== '').join(' and ')} must not set AppArmor profile type to ${quotedList(values)}`,
  }
}

function isAllowedAppArmor(profile: string): boolean {
  return profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/')
}

function addedCapabilities(pod: CheckedPod): Violation | undefined {
  const added = (names: readonly string[] = []) => names.filter((name) => !defaultCapabilities.has(name))
  const who = containersWith(pod, ({ capabilities }) => added(capabilities?.add).length > 0)
  if (who.length === 0) return undefined
  const all = containersOf(pod).flatMap(({ securityContext }) => added(securityContext?.capabilities?.add))
  const forbidden = quotedList([...new Set(all)].sort())
  return {
    reason: 'non-default capabilities',
    detail: `${containersNamed(who)} must not include ${forbidden} in securityContext.capabilities.add`,
  }
}

function hostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const used = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((member) => spec[member] === true)
  if (used.length === 0) return undefined
  return { reason: 'host namespaces', detail: used.map((member) => `${member}=true`).join(', ') }
}

function hostPaths({ spec }: CheckedPod): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name }) => name)
  if (names.length === 0) return undefined
  return { reason: 'hostPath volumes', detail: `${plural('volume', names)} ${quotedList(names)}` }
}

function hostPorts(pod: CheckedPod): Violation | undefined {
  const taken = ({ ports = [] }: ReturnType<typeof containersOf>[number]) =>
    ports.map(({ hostPort = 0 }) => hostPort).filter((port) => port !== 0)
  const using = containersOf(pod).filter((container) => taken(container).length > 0)
  if (using.length === 0) return undefined
  const names = using.map(({ name }) => name)
  const ports = [...new Set(using.flatMap(taken))].map(String).sort()
  const verb = names.length === 1 ? 'uses' : 'use'
  return {
    reason: 'hostPort',
    detail: `${containersNamed(names)} ${verb} ${plural('hostPort', ports)} ${ports.join(', ')}`,
  }
}

function privileged(pod: CheckedPod): Violation | undefined {
  const names = containersWith(pod, (context) => context.privileged === true)
  if (names.length === 0) return undefined
  return { reason: 'privileged', detail: `${containersNamed(names)} must not set securityContext.privileged=true` }
}

function procMount(pod: CheckedPod): Violation | undefined {
  const names = containersWith(pod, (context) => (context.procMount ?? 'Default') !== 'Default')
  if (names.length === 0) return undefined
  const values = containersOf(pod).flatMap(({ securityContext }) => securityContext?.procMount ?? [])
  const forbidden = quotedList([...new Set(values)].filter((value) => value !== 'Default').sort())
  return {
    reason: 'procMount',
    detail: `${containersNamed(names)} must not set securityContext.procMount to ${forbidden}`,
  }
}

function seLinux(pod: CheckedPod, minor: number): Violation | undefined {
  const allowed = allowedIn(minor, seLinuxTypesSince)
  const badType = ({ type = '' }: SELinuxOptions) => (allowed.has(type) ? [] : [type])
  const isBad = (options: SELinuxOptions = {}) =>
    badType(options).length > 0 || (options.user ?? '') !== '' || (options.role ?? '') !== ''
  const isPod = isBad(pod.spec.securityContext?.seLinuxOptions)
  const names = containersWith(pod, ({ seLinuxOptions }) => isBad(seLinuxOptions))
  if (!isPod && names.length === 0) return undefined
  const given = [pod.spec, ...containersOf(pod)].flatMap(({ securityContext }) => securityContext?.seLinuxOptions ?? [])
  const types = [...new Set(given.flatMap(badType))].sort()
  const problems = [
    ...(types.length === 0 ? [] : [`${plural('type', types)} ${quotedList(types)}`]),
    ...(given.some(({ user = '' }) => user !== '') ? ['user may not be set'] : []),
    ...(given.some(({ role = '' }) => role !== '') ? ['role may not be set'] : []),
  ]
  const who = setters(isPod, names)
  return {
    reason: 'seLinuxOptions',
    detail: `${who} set forbidden securityContext.seLinuxOptions: ${problems.join('; ')}`,
  }
}

function unconfined(pod: CheckedPod, minor: number): Violation | undefined {
  if (minor < 19) return annotatedUnconfined(pod)
  const isPod = pod.spec.securityContext?.seccompProfile?.type === 'Unconfined'
  const names = containersWith(pod, ({ seccompProfile }) => seccompProfile?.type === 'Unconfined')
  if (!isPod && names.length === 0) return undefined
  const who = setters(isPod, names)
  return { reason: 'seccompProfile', detail: `${who} must not set securityContext.seccompProfile.type to "Unconfined"` }
}

/** Before 1.19, profiles were annotations. */
function annotatedUnconfined(pod: CheckedPod): Violation | undefined {
  const { annotations = {} } = pod.metadata
  const ofContainers = containersOf(pod).map(({ name }) => `${containerSeccompAnnotation}${name}`)
  const bad = [podSeccompAnnotation, ...ofContainers].filter((key) => !isAllowedSeccomp(annotations[key]))
  if (bad.length === 0) return undefined
  const values = bad.map((key) => `${key}=${JSON.stringify(annotations[key])}`).sort()
  return { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', values)} ${values.join(', ')}` }
}

function isAllowedSeccomp(profile: string | undefined): boolean {
  if (profile === undefined || profile === 'runtime/default' || profile === 'docker/default') return true
  return profile.startsWith('localhost/')
}

function sysctls({ spec }: CheckedPod, minor: number): Violation | undefined {
  const safe = allowedIn(minor, sysctlsSince)
  const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !safe.has(name))
  return names.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: names.join(', ') }
}

function windowsHostProcess(pod: CheckedPod): Violation | undefined {
  const isPod = pod.spec.securityContext?.windowsOptions?.hostProcess === true
  const names = containersWith(pod, ({ windowsOptions }) => windowsOptions?.hostProcess === true)
  if (!isPod && names.length === 0) return undefined
  const who = setters(isPod, names)
  return { reason: 'hostProcess', detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` }
}
