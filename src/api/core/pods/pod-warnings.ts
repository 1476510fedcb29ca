import { quoted } from '../../human/go-syntax.ts'
import { validateLabel } from '../../names.ts'
import type { ObjectMeta } from '../../object.ts'
import type { Affinity, Container, Pod, PodSpec, PodTemplateSpec } from '../../types/core-v1.ts'
import { labelDeprecation, termWarnings } from '../nodes/node-label-warnings.ts'
import { repeated } from '../repeated.ts'
import { fractionWarnings } from '../volumes/claim-warnings.ts'
import { volumeWarnings } from '../volumes/volume-warnings.ts'
import {
  environmentWarnings,
  placedContainers,
  portWarnings,
  resourceWarnings,
} from './containers/container-warnings.ts'
import { overlapWarnings } from './containers/path-overlap-warnings.ts'
import { appArmorPrefix, seccompOfPod, seccompPrefix } from './pod-annotations.ts'

const deprecatedAnnotations = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
] as const
const matchesNothing = 'a null labelSelector results in matching no pod'

/** Enough for any reader: the warnings must not be many times the size of the body. */
const mostWarnings = 100

export function podWarnings({ metadata, spec }: Pod, old?: Pod): readonly string[] {
  if (old !== undefined) return []
  return [...nameWarnings(metadata, "the Pod's hostname"), ...templateTexts('', { metadata, spec })]
}

/** Names of kinds that create Pods become parts of hostnames. */
export function nameWarnings({ name = '' }: ObjectMeta, use = 'Pod names and hostnames'): readonly string[] {
  const problems = validateLabel(name)
  if (problems.length === 0) return []
  return [
    `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ]
}

/** `prefix` is the path of the Pod's metadata and spec, with a trailing dot. */
export function templateTexts(prefix: string, template: PodTemplateSpec): readonly string[] {
  const found: string[] = []
  for (const text of eachWarning(prefix, template)) {
    if (found.push(text) === mostWarnings) break
  }
  return found
}

function* eachWarning(prefix: string, { metadata, spec }: PodTemplateSpec): Iterable<string> {
  const field = `${prefix}spec`
  const annotations = metadata.annotations ?? {}
  const containers = placedContainers(field, spec)
  yield* placementWarnings(field, spec)
  for (const [key, text] of deprecatedAnnotations) {
    if (annotations[key] !== undefined) yield `${prefix}metadata.annotations[${key}]: ${text}`
  }
  for (const [index, volume] of (spec.volumes ?? []).entries())
    yield* volumeWarnings(`${field}.volumes[${index}]`, volume)
  for (const volume of spec.volumes ?? []) yield* overlapWarnings(volume)
  yield* listWarnings(field, spec)
  yield* fractionWarnings(`${field}.overhead`, spec.overhead, ['memory', 'ephemeral-storage'])
  yield* profileWarnings(prefix, annotations, spec)
  for (const placed of containers) {
    yield* containerProfileWarnings(prefix, annotations, placed.container, spec)
    yield* resourceWarnings(placed)
    yield* environmentWarnings(placed)
  }
  yield* portWarnings(containers)
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    yield `${field}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`
  }
  yield* affinityWarnings(`${field}.affinity`, spec.affinity ?? {})
}

function* placementWarnings(field: string, spec: PodSpec): Iterable<string> {
  for (const label of Object.keys(spec.nodeSelector ?? {})) {
    const text = labelDeprecation(label)
    if (text !== undefined) yield `${field}.nodeSelector[${label}]: ${text}`
  }
  const { requiredDuringSchedulingIgnoredDuringExecution: required, ...others } = spec.affinity?.nodeAffinity ?? {}
  const { preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } = others
  const at = `${field}.affinity.nodeAffinity`
  for (const [index, term] of (required?.nodeSelectorTerms ?? []).entries()) {
    yield* termWarnings(`${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`, term)
  }
  for (const [index, { preference }] of preferred.entries()) {
    yield* termWarnings(`${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`, preference)
  }
  for (const [index, { topologyKey, labelSelector }] of (spec.topologySpreadConstraints ?? []).entries()) {
    const text = labelDeprecation(topologyKey)
    const constraint = `${field}.topologySpreadConstraints[${index}]`
    if (text !== undefined) yield `${constraint}.topologyKey: ${topologyKey} is ${text}`
    if (labelSelector === undefined) yield `${constraint}.labelSelector: ${matchesNothing}`
  }
}

function* listWarnings(field: string, { hostAliases = [], imagePullSecrets = [] }: PodSpec): Iterable<string> {
  const isTaken = repeated(hostAliases.map(({ ip }) => ip))
  for (const [index, { ip }] of hostAliases.entries()) {
    if (isTaken[index]) yield `${field}.hostAliases[${index}].ip: duplicate ip ${quoted(ip)}`
  }
  const names = imagePullSecrets.map(({ name = '' }) => name)
  const isKnown = repeated(names.map((name) => ` ${name}`))
  for (const [index, name] of names.entries()) {
    if (isKnown[index]) yield `${field}.imagePullSecrets[${index}].name: duplicate name ${quoted(name)}`
  }
  for (const [index, name] of names.entries()) {
    if (name === '') yield `${field}.imagePullSecrets[${index}].name: invalid empty name ""`
  }
}

type Annotations = Readonly<Record<string, string>>

function* profileWarnings(prefix: string, annotations: Annotations, { securityContext }: PodSpec): Iterable<string> {
  if (securityContext?.seccompProfile !== undefined || annotations[seccompOfPod] === undefined) return
  yield `${prefix}metadata.annotations[${seccompOfPod}]: non-functional in v1.27+; use the "seccompProfile" field instead`
}

function* containerProfileWarnings(
  prefix: string,
  annotations: Annotations,
  { name, securityContext }: Container,
  pod: PodSpec,
): Iterable<string> {
  const [seccomp, appArmor] = [`${seccompPrefix}${name}`, `${appArmorPrefix}${name}`]
  if (securityContext?.seccompProfile === undefined && annotations[seccomp] !== undefined) {
    yield `${prefix}metadata.annotations[${seccomp}]: non-functional in v1.27+; use the "seccompProfile" field instead`
  }
  const profile = securityContext?.appArmorProfile ?? pod.securityContext?.appArmorProfile
  // A Pod's own annotation has become a field by now.
  if (prefix !== '' && profile === undefined && annotations[appArmor] !== undefined) {
    yield `${prefix}metadata.annotations[${appArmor}]: deprecated since v1.30; use the "appArmorProfile" field instead`
  }
}

function* affinityWarnings(field: string, affinity: Affinity): Iterable<string> {
  for (const member of ['podAffinity', 'podAntiAffinity'] as const) {
    const { requiredDuringSchedulingIgnoredDuringExecution: required = [], ...others } = affinity[member] ?? {}
    const { preferredDuringSchedulingIgnoredDuringExecution: preferred = [] } = others
    for (const [index, { labelSelector }] of required.entries()) {
      const at = `${field}.${member}.requiredDuringSchedulingIgnoredDuringExecution[${index}]`
      if (labelSelector === undefined) yield `${at}.labelSelector: ${matchesNothing}`
    }
    for (const [index, { podAffinityTerm }] of preferred.entries()) {
      const at = `${field}.${member}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`
      if (podAffinityTerm.labelSelector === undefined) yield `${at}.podAffinityTerm.labelSelector: ${matchesNothing}`
    }
  }
}
