import { shown } from '../../../api/tenant-config/wording.ts'
import type { EphemeralContainer, PodSpec } from '../../../api/types/core-v1.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { Refusal } from '../contract.ts'
import { knownFields } from './known-fields.ts'
import { debuggerFields } from './pod-fields.ts'

const list = 'spec.ephemeralContainers'
const withoutIt = 'the Pod runs on without this container'

export interface JudgedDebuggers {
  readonly fields: Pick<PodSpec, 'ephemeralContainers'>
  readonly refusals: readonly Refusal[]
}

/**
 * Ephemeral containers are added to a running Pod. One that may not run on the host is dropped, and the Pod continues:
 * otherwise a mistake while debugging would end it.
 */
export function judgedDebuggers(
  given: unknown,
  pod: PodSpec,
  judge: (alone: PodSpec) => readonly Refusal[],
): JudgedDebuggers {
  if (!Array.isArray(given) || given.length === 0) return { fields: {}, refusals: [] }
  const around = surroundingsIn(pod)
  const judged = given.map((container, index) => judgedDebugger(container, `${list}[${index}]`, around, judge))
  const kept = judged.filter(({ refusals }) => refusals.length === 0).flatMap(({ container }) => container ?? [])
  return {
    fields: kept.length === 0 ? {} : { ephemeralContainers: kept },
    refusals: judged.flatMap(({ refusals }) => refusals),
  }
}

/** The parts of an accepted Pod that matter for a container in it. The rest is not checked again for each container. */
interface Surroundings {
  readonly spec: PodSpec
  readonly containers: ReadonlySet<string>
  readonly volumes: ReadonlySet<string>
}

function surroundingsIn({ securityContext, containers, initContainers, volumes }: PodSpec): Surroundings {
  const { sysctls: _, ...shared } = securityContext ?? {}
  return {
    spec: { containers: [], securityContext: shared },
    containers: new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name }) => name)),
    volumes: new Set((volumes ?? []).map(({ name }) => name)),
  }
}

function judgedDebugger(
  given: unknown,
  path: string,
  around: Surroundings,
  judge: (alone: PodSpec) => readonly Refusal[],
): { readonly container?: EphemeralContainer; readonly refusals: readonly Refusal[] } {
  if (!isJsonObject(given)) return { refusals: [refused(path, 'it is not a container')] }
  const { fields, problems } = knownFields(given, debuggerFields, path)
  if (problems.length > 0) return { refusals: problems.map(({ field, reason }) => refused(field, reason)) }
  const container = fields as unknown as EphemeralContainer
  const refusals = judge({ ...around.spec, ephemeralContainers: [container] })
  return {
    container,
    refusals: [...foreignNames(container, path, around), ...refusals.map((refusal) => ({ ...refusal, field: path }))],
  }
}

function refused(field: string, reason: string): Refusal {
  return { rule: 'podFields', field, reason, remedy: withoutIt }
}

/** Processes of a container, and a volume, that the host added may contain credentials of the host. */
function foreignNames(
  { targetContainerName: target, volumeMounts, volumeDevices }: EphemeralContainer,
  path: string,
  { containers, volumes }: Surroundings,
): readonly Refusal[] {
  const mounted = [...(volumeMounts ?? []), ...(volumeDevices ?? [])].map(({ name }) => name)
  return [
    ...(target && !containers.has(target) ? [refused(path, `the Pod has no container ${shown(target)}`)] : []),
    ...mounted
      .filter((name) => !volumes.has(name))
      .map((name) => refused(path, `the Pod has no volume ${shown(name)}`)),
  ]
}
