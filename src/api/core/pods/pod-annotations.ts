import { allErrors, type FieldError, forbiddenField, invalidField } from '../../field-error.ts'
import type { Pod, PodSpec, SeccompProfile, Toleration } from '../../types/core-v1.ts'
import { newErrors } from '../new-errors.ts'
import { validateTolerations } from '../nodes/toleration-validation.ts'
import { checkInnerPath } from '../path-checks.ts'
import { allContainers } from './pod-containers.ts'

/** Pod annotations that Kubernetes itself reads. Most are older than the equivalent field. */

type Annotations = Readonly<Record<string, string>> | undefined

export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'
const mirror = 'kubernetes.io/config.mirror'
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost'
const tolerations = 'scheduler.alpha.kubernetes.io/tolerations'
export const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod'
export const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/'
const localhost = 'localhost/'

/** `field` is the path of the annotations: pod templates have them too. */
export function validatePodAnnotations(field: string, annotations: Annotations, spec: PodSpec): readonly FieldError[] {
  if (annotations === undefined) return []
  const { [mirror]: ofMirror, [deletionCost]: cost = '0', [seccompOfPod]: seccomp } = annotations
  const others = Object.entries(annotations)
  return allErrors(
    ofMirror !== undefined && (spec.nodeName ?? '') === ''
      ? [invalidField(`${field}[${mirror}]`, ofMirror, 'must set spec.nodeName if mirror pod annotation is set')]
      : [],
    validateListed(field, annotations[tolerations] ?? ''),
    isCost(cost) ? [] : [invalidField(`${field}[${deletionCost}]`, cost, 'must be a 32bit integer')],
    seccomp === undefined ? [] : validateSeccompName(`${field}.${seccompOfPod}`, seccomp),
    others.flatMap(([key, value]) =>
      key.startsWith(seccompPrefix) ? validateSeccompName(`${field}.${key}`, value) : [],
    ),
    validateAppArmorNames(field, others, spec),
  )
}

function validateListed(field: string, text: string): readonly FieldError[] {
  if (text === '') return []
  const listed = tolerationsIn(text)
  if (listed === undefined)
    return [invalidField(field, tolerations, 'invalid character looking for beginning of value')]
  return validateTolerations(`${field}.${tolerations}`, listed)
}

function tolerationsIn(text: string): readonly Toleration[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    if (parsed === null) return []
    return Array.isArray(parsed) && parsed.every(isToleration) ? parsed : undefined
  } catch {
    return undefined
  }
}

const textMembers = ['key', 'operator', 'value', 'effect']

function isToleration(value: unknown): value is Toleration {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).every(([member, held]) =>
    member === 'tolerationSeconds' ? Number.isInteger(held) : !textMembers.includes(member) || typeof held === 'string',
  )
}

/** Without a plus sign and leading zeros. */
function isCost(text: string): boolean {
  const cost = Number(text)
  return /^(0|[1-9]\d*|-\d+)$/.test(text) && cost >= -(2 ** 31) && cost < 2 ** 31
}

function validateSeccompName(field: string, profile: string): readonly FieldError[] {
  if (/^(runtime\/default|docker\/default|unconfined)$/.test(profile)) return []
  if (profile.startsWith(localhost)) return checkInnerPath(field, profile.slice(localhost.length))
  return [invalidField(field, profile, 'must be a valid seccomp profile')]
}

function validateAppArmorNames(field: string, annotations: readonly (readonly [string, string])[], spec: PodSpec) {
  const ours = annotations.filter(([key]) => key.startsWith(appArmorPrefix))
  if (ours.length === 0) return []
  const names = new Set(allContainers('', spec).map(({ container }) => container.name))
  return ours.flatMap(([key, profile]) => {
    const name = key.slice(appArmorPrefix.length)
    return allErrors(
      names.has(name) ? [] : [invalidField(`${field}[${key}]`, name, 'container not found')],
      ['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith(localhost)
        ? []
        : [invalidField(`${field}[${key}]`, profile, `invalid AppArmor profile name: "${profile}"`)],
    )
  })
}

/** The annotation and the field of a new Pod must agree. `field` is the path of the spec. */
export function validateRepeatedProfiles(
  field: string,
  annotations: Annotations,
  spec: PodSpec,
): readonly FieldError[] {
  if (annotations === undefined) return []
  const { seccompProfile, appArmorProfile } = spec.securityContext ?? {}
  const containers = allContainers(field, spec)
  return allErrors(
    checkSame(`${field}.securityContext.seccompProfile`, 'seccomp', annotations[seccompOfPod], seccompProfile),
    containers.flatMap(({ at, container: { name, securityContext } }) =>
      checkSame(
        `${at}.securityContext.seccompProfile`,
        'seccomp',
        annotations[`${seccompPrefix}${name}`],
        securityContext?.seccompProfile,
      ),
    ),
    (spec.os?.name === 'windows' ? [] : containers).flatMap(({ at, container: { name, securityContext } }) =>
      checkSame(
        `${at}.securityContext.appArmorProfile`,
        'apparmor',
        annotations[`${appArmorPrefix}${name}`],
        securityContext?.appArmorProfile ?? appArmorProfile,
      ),
    ),
  )
}

function checkSame(
  field: string,
  what: 'seccomp' | 'apparmor',
  annotation: string | undefined,
  profile: SeccompProfile | undefined,
): readonly FieldError[] {
  if (annotation === undefined || profile === undefined) return []
  const otherType = [forbiddenField(`${field}.type`, `${what} type in annotation and field must match`)]
  switch (profile.type) {
    case 'Unconfined':
      return annotation === 'unconfined' ? [] : otherType
    case 'RuntimeDefault': {
      const isDefault = annotation === 'runtime/default' || (what === 'seccomp' && annotation === 'docker/default')
      return isDefault ? [] : otherType
    }
    case 'Localhost':
      if (!annotation.startsWith(localhost)) return otherType
      return annotation.slice(localhost.length) === profile.localhostProfile
        ? []
        : [forbiddenField(`${field}.localhostProfile`, `${what} profile in annotation and field must match`)]
    default:
      return []
  }
}

/** Annotations that only the node may set on its own Pods, and those that confine containers, cannot change. */
export function validateAnnotationChange(after: Pod, before: Pod): readonly FieldError[] {
  const [now = {}, old = {}] = [after.metadata.annotations, before.metadata.annotations]
  const field = 'metadata.annotations'
  const fixed = (key: string) =>
    key.startsWith(appArmorPrefix) ? 'AppArmor annotations' : key === mirror ? 'mirror pod annotation' : undefined
  const changed = Object.keys(old).filter((key) => now[key] !== old[key])
  const added = Object.keys(now).filter((key) => old[key] === undefined)
  const refused = (keys: readonly string[], verb: string) =>
    keys.flatMap((key) => {
      const what = fixed(key)
      return what === undefined ? [] : [forbiddenField(`${field}[${key}]`, `may not ${verb} ${what}`)]
    })
  return allErrors(
    refused(changed, 'remove or update'),
    refused(added, 'add'),
    newErrors(({ metadata, spec }: Pod) => validatePodAnnotations(field, metadata.annotations, spec), after, before),
  )
}

export function isStaticPod({ metadata }: Pod): boolean {
  return metadata.annotations?.[mirror] !== undefined
}
