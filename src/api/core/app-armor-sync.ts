import type { AppArmorProfile, Pod } from '../types/core-v1.ts'
import { longestProfile } from './confinement-validation.ts'
import { appArmorPrefix } from './pod-annotations.ts'

/** A profile is in a field. Older nodes read an annotation, which a new pod gets as well. */
export function withAppArmor(pod: Pod): Pod {
  const { metadata, spec } = pod
  if (spec.os?.name === 'windows') return pod
  const ofPod = nameOf(spec.securityContext?.appArmorProfile)
  const added = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].flatMap(({ name, securityContext }) => {
    const own = securityContext?.appArmorProfile
    const written = own === undefined ? ofPod : nameOf(own)
    return written === '' ? [] : [[`${appArmorPrefix}${name}`, written] as const]
  })
  if (added.length === 0) return pod
  return { ...pod, metadata: { ...metadata, annotations: { ...Object.fromEntries(added), ...metadata.annotations } } }
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
  return name === '' || name.length > longestProfile ? '' : `localhost/${name}`
}
