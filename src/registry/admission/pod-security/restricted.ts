import type { Volume } from '../../../api/types/core-v1.ts'
import {
  type CheckedPod,
  containersOf,
  containersWith,
  isForWindows,
  type SecurityCheck,
  type Violation,
} from './check.ts'
import { containersNamed, plural, quotedList, setters } from './wording.ts'

const allowedVolumes: ReadonlySet<string> = new Set([
  ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim', 'projected'],
  'secret',
])

/** What a hardened pod must do, in the order in which violations are reported. */
export const restrictedChecks: readonly SecurityCheck[] = [
  { id: 'allowPrivilegeEscalation', since: 8, find: privilegeEscalation },
  { id: 'capabilities_restricted', since: 22, replaces: 'capabilities_baseline', find: keptCapabilities },
  { id: 'restrictedVolumes', since: 0, replaces: 'hostPathVolumes', find: volumes },
  { id: 'runAsNonRoot', since: 0, find: runAsNonRoot },
  { id: 'runAsUser', since: 23, find: runAsUser },
  { id: 'seccompProfile_restricted', since: 19, replaces: 'seccompProfile_baseline', find: seccomp },
]

function privilegeEscalation(pod: CheckedPod, minor: number): Violation | undefined {
  const names = isForWindows(pod, minor)
    ? []
    : containersWith(pod, (context) => context.allowPrivilegeEscalation !== false)
  if (names.length === 0) return undefined
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersNamed(names)} must set securityContext.allowPrivilegeEscalation=false`,
  }
}

function keptCapabilities(pod: CheckedPod, minor: number): Violation | undefined {
  if (isForWindows(pod, minor)) return undefined
  const keeping = containersWith(pod, ({ capabilities }) => capabilities?.drop?.includes('ALL') !== true)
  const extra = (names: readonly string[] = []) => names.filter((name) => name !== 'NET_BIND_SERVICE')
  const adding = containersWith(pod, ({ capabilities }) => extra(capabilities?.add).length > 0)
  const added = containersOf(pod).flatMap(({ securityContext }) => extra(securityContext?.capabilities?.add))
  const details = [
    ...(keeping.length === 0 ? [] : [`${containersNamed(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0
      ? []
      : [
          `${containersNamed(adding)} must not include ${quotedList([...new Set(added)].sort())} in securityContext.capabilities.add`,
        ]),
  ]
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') }
}

function volumes({ spec }: CheckedPod): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((volume) => !allowedVolumes.has(sourceOf(volume)))
  if (bad.length === 0) return undefined
  const names = bad.map(({ name }) => name)
  const types = [...new Set(bad.map(sourceOf))].sort()
  const verb = names.length === 1 ? 'uses' : 'use'
  const uses = `${verb} restricted volume ${plural('type', types)} ${quotedList(types)}`
  return { reason: 'restricted volume types', detail: `${plural('volume', names)} ${quotedList(names)} ${uses}` }
}

function sourceOf(volume: Volume): string {
  return Object.keys(volume).find((member) => member !== 'name') ?? 'unknown'
}

function runAsNonRoot(pod: CheckedPod): Violation | undefined {
  const own = pod.spec.securityContext?.runAsNonRoot
  const refusing = containersWith(pod, (context) => context.runAsNonRoot === false)
  const silent = containersWith(pod, (context) => context.runAsNonRoot === undefined)
  const reason = 'runAsNonRoot != true'
  const isPodBad = own === false
  if (isPodBad || refusing.length > 0) {
    return { reason, detail: `${setters(isPodBad, refusing)} must not set securityContext.runAsNonRoot=false` }
  }
  if (own === true || silent.length === 0) return undefined
  return { reason, detail: `pod or ${containersNamed(silent)} must set securityContext.runAsNonRoot=true` }
}

function runAsUser(pod: CheckedPod): Violation | undefined {
  const isPod = pod.spec.securityContext?.runAsUser === 0
  const names = containersWith(pod, (context) => context.runAsUser === 0)
  if (!isPod && names.length === 0) return undefined
  return { reason: 'runAsUser=0', detail: `${setters(isPod, names)} must not set runAsUser=0` }
}

function seccomp(pod: CheckedPod, minor: number): Violation | undefined {
  if (isForWindows(pod, minor)) return undefined
  const reason = 'seccompProfile'
  const field = 'securityContext.seccompProfile.type'
  const own = pod.spec.securityContext?.seccompProfile?.type
  const bad = containersWith(pod, ({ seccompProfile }) => seccompProfile?.type === 'Unconfined')
  const silent = containersWith(pod, ({ seccompProfile }) => seccompProfile === undefined)
  const isPodBad = own === 'Unconfined'
  if (isPodBad || bad.length > 0) {
    return { reason, detail: `${setters(isPodBad, bad)} must not set ${field} to "Unconfined"` }
  }
  if (own !== undefined || silent.length === 0) return undefined
  return { reason, detail: `pod or ${containersNamed(silent)} must set ${field} to "RuntimeDefault" or "Localhost"` }
}
