import { deepEqual } from '../../../base/equal.ts'
import type { AppArmorProfile, Container, Pod } from '../../types/core-v1.ts'
import { appArmorPrefix } from './pod-annotations.ts'
import { longestProfile, validateAppArmor } from './security/confinement-validation.ts'

/**
 * A profile is in a field. Older nodes read an annotation, which a new pod gets as well, and older clients write one,
 * which becomes the field.
 */
export function withAppArmor(pod: Pod): Pod {
  return isWindows(pod) ? pod : withFields(withAnnotations(pod))
}

/** About annotations of a new pod that it still gets its profile from. */
export function appArmorWarnings(pod: Pod): readonly string[] {
  if (isWindows(pod)) return []
  return containersOf(pod).flatMap((container) => {
    const key = `${appArmorPrefix}${container.name}`
    if (!isAnnotated(pod, container) || isOfPod(pod, annotated(pod, container))) return []
    return [`metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`]
  })
}

function withAnnotations(pod: Pod): Pod {
  const { metadata } = pod
  const ofPod = nameOf(podProfile(pod))
  const added = containersOf(pod).flatMap(({ name, securityContext }) => {
    const own = securityContext?.appArmorProfile
    const written = own === undefined ? ofPod : nameOf(own)
    return written === '' ? [] : [[`${appArmorPrefix}${name}`, written] as const]
  })
  if (added.length === 0) return pod
  return { ...pod, metadata: { ...metadata, annotations: { ...Object.fromEntries(added), ...metadata.annotations } } }
}

function withFields(pod: Pod): Pod {
  if (!containersOf(pod).some((container) => profileToAdd(pod, container) !== undefined)) return pod
  const { initContainers, containers } = pod.spec
  const withProfile = (container: Container) => {
    const appArmorProfile = profileToAdd(pod, container)
    if (appArmorProfile === undefined) return container
    return { ...container, securityContext: { ...container.securityContext, appArmorProfile } }
  }
  const spec = { ...pod.spec, containers: containers?.map(withProfile) ?? null }
  return {
    ...pod,
    spec: initContainers === undefined ? spec : { ...spec, initContainers: initContainers.map(withProfile) },
  }
}

function profileToAdd(pod: Pod, container: Container): AppArmorProfile | undefined {
  if (!isAnnotated(pod, container)) return undefined
  const profile = annotated(pod, container)
  return isOfPod(pod, profile) ? undefined : profile
}

function isOfPod(pod: Pod, profile: AppArmorProfile | undefined): boolean {
  return profile !== undefined && deepEqual(profile, podProfile(pod))
}

/** Whether only an annotation says what confines a container. */
function isAnnotated({ metadata }: Pod, { name, securityContext }: Container): boolean {
  const isWritten = metadata.annotations?.[`${appArmorPrefix}${name}`] !== undefined
  return isWritten && securityContext?.appArmorProfile === undefined
}

/** Undefined if the annotation names no valid profile. */
function annotated({ metadata }: Pod, { name }: Container): AppArmorProfile | undefined {
  const profile = profileOf(metadata.annotations?.[`${appArmorPrefix}${name}`] ?? '')
  return profile !== undefined && validateAppArmor('', profile).length === 0 ? profile : undefined
}

function profileOf(text: string): AppArmorProfile | undefined {
  if (text === 'unconfined') return { type: 'Unconfined' }
  if (text === 'runtime/default') return { type: 'RuntimeDefault' }
  if (!text.startsWith(localhost) || text === localhost) return undefined
  return { type: 'Localhost', localhostProfile: text.slice(localhost.length) }
}

const localhost = 'localhost/'

function podProfile({ spec }: Pod): AppArmorProfile | undefined {
  return spec.securityContext?.appArmorProfile
}

function containersOf({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])]
}

function isWindows({ spec }: Pod): boolean {
  return spec.os?.name === 'windows'
}

/** Empty for a name that will be refused: a name of the Pod would be repeated for each of its containers. */
function nameOf(profile: AppArmorProfile | undefined): string {
  switch (profile?.type) {
    case 'Unconfined':
      return 'unconfined'
    case 'RuntimeDefault':
      return 'runtime/default'
    case 'Localhost':
      return localhostName(profile.localhostProfile ?? '')
    default:
      return ''
  }
}

function localhostName(name: string): string {
  return name === '' || name.length > longestProfile ? '' : `${localhost}${name}`
}
