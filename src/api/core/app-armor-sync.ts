import type { AppArmorProfile, Pod } from '../types/core-v1.ts'
import { appArmorPrefix } from './pod-annotations.ts'

/** A profile stands in a member. Older nodes read an annotation, which a new pod gets with it. */
export function withAppArmor(pod: Pod): Pod {
  const { metadata, spec } = pod
  if (spec.os?.name === 'windows') return pod
  const ofPod = spec.securityContext?.appArmorProfile
  const added = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].flatMap(({ name, securityContext }) => {
    const written = nameOf(securityContext?.appArmorProfile ?? ofPod)
    return written === '' ? [] : [[`${appArmorPrefix}${name}`, written] as const]
  })
  if (added.length === 0) return pod
  return { ...pod, metadata: { ...metadata, annotations: { ...Object.fromEntries(added), ...metadata.annotations } } }
}

function nameOf(profile: AppArmorProfile | undefined): string {
  switch (profile?.type) {
    case 'Unconfined':
      return 'unconfined'
    case 'RuntimeDefault':
      return 'runtime/default'
    case 'Localhost':
      return profile.localhostProfile === undefined ? '' : `localhost/${profile.localhostProfile}`
    default:
      return ''
  }
}
