import { deepEqual } from '../../base/equal.ts'
import type { AppArmorProfile, Container, Pod } from '../types/core-v1.ts'
import { validateAppArmor } from './confinement-validation.ts'
import { appArmorPrefix } from './pod-annotations.ts'

const localhost = 'localhost/'

/** A profile stands in a member, and for older nodes in an annotation: a new pod that has one of them gets the other. */
export function withAppArmor(pod: Pod): Pod {
  const { metadata, spec } = pod
  if (spec.os?.name === 'windows' || !mentions(pod)) return pod
  const annotations = { ...metadata.annotations }
  const ofPod = spec.securityContext?.appArmorProfile
  for (const { name, securityContext } of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    const written = nameOf(securityContext?.appArmorProfile ?? ofPod)
    if (written !== '') annotations[`${appArmorPrefix}${name}`] ??= written
  }
  const each = (container: Container) => withProfile(container, metadata.annotations ?? {}, ofPod)
  return {
    ...pod,
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: {
      ...spec,
      containers: spec.containers?.map(each) ?? null,
      ...(spec.initContainers && { initContainers: spec.initContainers.map(each) }),
    },
  }
}

/** Most pods do not. */
function mentions({ metadata, spec }: Pod): boolean {
  return (
    spec.securityContext?.appArmorProfile !== undefined ||
    Object.keys(metadata.annotations ?? {}).some((key) => key.startsWith(appArmorPrefix)) ||
    [...(spec.initContainers ?? []), ...(spec.containers ?? [])].some(
      ({ securityContext }) => securityContext?.appArmorProfile !== undefined,
    )
  )
}

function withProfile(
  container: Container,
  annotations: Readonly<Record<string, string>>,
  ofPod: AppArmorProfile | undefined,
): Container {
  const annotation = annotations[`${appArmorPrefix}${container.name}`]
  const { securityContext } = container
  if (annotation === undefined || securityContext?.appArmorProfile !== undefined) return container
  const profile = profileOf(annotation)
  const isUsable = profile !== undefined && validateAppArmor('', profile).length === 0 && !deepEqual(profile, ofPod)
  return isUsable ? { ...container, securityContext: { ...securityContext, appArmorProfile: profile } } : container
}

function nameOf(profile: AppArmorProfile | undefined): string {
  switch (profile?.type) {
    case 'Unconfined':
      return 'unconfined'
    case 'RuntimeDefault':
      return 'runtime/default'
    case 'Localhost':
      return profile.localhostProfile === undefined ? '' : `${localhost}${profile.localhostProfile}`
    default:
      return ''
  }
}

function profileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
  const localhostProfile = annotation.startsWith(localhost) ? annotation.slice(localhost.length) : ''
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile }
}
