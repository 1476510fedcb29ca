import type { Thing } from '../../sync/support/objects.ts'

/**
 * What a Pod of a tenant must never contain, according to the object on the host and to its container runtime. Written
 * from the behavior of Linux and Kubernetes, and independent of the policy.
 */

type Json = Readonly<Record<string, unknown>>

const harmlessVolumes = new Set([
  'name',
  'configMap',
  'secret',
  'emptyDir',
  'downwardAPI',
  'projected',
  'persistentVolumeClaim',
])
const ofNode = [
  'hostUsers',
  'hostNetwork',
  'hostPID',
  'hostIPC',
  'hostPath',
  'hostPort',
  'hostIP',
  'privileged',
  'procMount',
]
const ofKernel = ['sysctls', 'seLinuxOptions', 'windowsOptions', 'runtimeClassName', 'hostSomething', 'HostNetwork']

/**
 * Dangers as sentences; empty if the Pod is harmless. `isForeign` says whether a name of the namespace belongs to
 * another.
 */
export function dangersOfPod(pod: Thing, isForeign: (name: string) => boolean): readonly string[] {
  const spec = pod.spec as Json
  const found: string[] = []
  visit(spec, (key, value) => {
    if ([...ofNode, ...ofKernel].includes(key) && value !== false && value !== 'Default') found.push(`it has ${key}`)
    if (key === 'host' && typeof value === 'string') found.push(`the node would connect to ${value}`)
    if (key === 'add' && Array.isArray(value)) found.push(`it adds ${value.join()}`)
    if (key === 'type' && value === 'Unconfined') found.push('a profile is unconfined')
    if (key === 'serviceAccountToken') found.push('it gets a token of the host')
  })
  for (const volume of (spec.volumes ?? []) as readonly Json[]) {
    const others = Object.keys(volume).filter((key) => !harmlessVolumes.has(key))
    if (others.length > 0) found.push(`it mounts ${others.join()}`)
  }
  for (const name of namedObjects(spec)) if (isForeign(name)) found.push(`it names ${name}, which is another's`)
  if (spec.automountServiceAccountToken !== false) found.push('it gets a token of the host')
  if (spec.enableServiceLinks !== false) found.push('it gets the Services of the host')
  if (spec.serviceAccountName !== 'default') found.push(`it acts as ${spec.serviceAccountName}`)
  if (spec.schedulerName !== 'default-scheduler') found.push(`it is scheduled by ${spec.schedulerName}`)
  if (Number(spec.priority ?? 0) > 0) found.push('it has a priority')
  if (pod.metadata.ownerReferences !== undefined || pod.metadata.finalizers !== undefined) found.push('it has owners')
  return found
}

/** Names of Secrets, ConfigMaps and claims, wherever they are. */
function namedObjects(spec: Json): readonly string[] {
  const names: string[] = []
  visit(spec, (key, value) => {
    if (key === 'secretName' || key === 'claimName') names.push(String(value))
    if (!/^(configMap|secret|configMapKeyRef|secretKeyRef|configMapRef|secretRef|imagePullSecrets)$/.test(key)) return
    for (const each of [value].flat() as readonly Json[]) if (each.name !== undefined) names.push(String(each.name))
  })
  return names
}

function visit(value: unknown, look: (key: string, value: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    look(key, member)
    visit(member, look)
  }
}

/** A container in the runtime's (OCI) configuration. */
export interface RunContainer {
  readonly Labels: Readonly<Record<string, string>>
  readonly Spec: {
    readonly process: { readonly capabilities: { readonly bounding?: readonly string[] } }
    readonly mounts: readonly { readonly destination: string; readonly type: string; readonly source: string }[]
    readonly linux: {
      readonly namespaces: readonly { readonly type: string }[]
      readonly maskedPaths?: readonly string[]
      readonly resources: { readonly devices?: readonly { readonly allow: boolean; readonly type?: string }[] }
      readonly sysctl?: Readonly<Record<string, string>>
    }
  }
}

/** The runtime's default capabilities. */
const usualCapabilities = new Set(
  'CHOWN DAC_OVERRIDE FSETID FOWNER MKNOD NET_RAW SETGID SETUID SETFCAP SETPCAP NET_BIND_SERVICE SYS_CHROOT KILL AUDIT_WRITE'
    .split(' ')
    .map((name) => `CAP_${name}`),
)
const neededNamespaces = ['pid', 'ipc', 'network', 'mount']
const usualSysctls = new Set(['net.ipv4.ip_unprivileged_port_start', 'net.ipv4.ping_group_range'])
const ofPods = /^\/(var\/lib|run)\/kubenode\//

export function dangersOfContainer({ Spec }: RunContainer): readonly string[] {
  const { process, mounts, linux } = Spec
  const own = new Set(linux.namespaces.map(({ type }) => type))
  return [
    ...neededNamespaces.filter((type) => !own.has(type)).map((type) => `it has the ${type} namespace of the node`),
    ...(process.capabilities.bounding ?? []).filter((name) => !usualCapabilities.has(name)),
    ...mounts
      .filter(({ type, source }) => type === 'bind' && !ofPods.test(source))
      .map(({ source }) => `it has ${source}`),
    ...(linux.maskedPaths?.includes('/proc/kcore') ? [] : ['its /proc is not masked']),
    ...(linux.resources.devices ?? [])
      .filter(({ allow, type }) => allow && type === undefined)
      .map(() => 'all devices'),
    ...Object.keys(linux.sysctl ?? {}).filter((name) => !usualSysctls.has(name)),
  ]
}
