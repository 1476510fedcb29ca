import type { Container, PodSpec, Probe } from '../../../api/types/core-v1.ts'
import { longestGraceSeconds } from '../../kinds/pods/longest-grace.ts'
import type { Refusal } from '../contract.ts'
import type { JudgedPod } from './rule.ts'

/** The Pod has a time to end, and each probe may have one for a container that it ends. */
export function gracePeriod(spec: PodSpec): JudgedPod {
  const refusals: Refusal[] = []
  const limited = withLimit(spec, 'spec', refusals)
  for (const list of ['initContainers', 'containers'] as const) {
    const probed = spec[list]?.map((container, index) => withLimits(container, `spec.${list}[${index}]`, refusals))
    if (probed !== undefined) limited[list] = probed
  }
  return { spec: refusals.length === 0 ? spec : limited, refusals }
}

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const

function withLimits(container: Container, path: string, refusals: Refusal[]): Container {
  const limited: { -readonly [Field in keyof Container]: Container[Field] } = { ...container }
  for (const name of probes) {
    const probe: Probe | undefined = container[name]
    if (probe !== undefined) limited[name] = withLimit(probe, `${path}.${name}`, refusals)
  }
  return limited
}

function withLimit<T extends { readonly terminationGracePeriodSeconds?: number }>(
  value: T,
  path: string,
  refusals: Refusal[],
): { -readonly [Field in keyof T]: T[Field] } {
  const { terminationGracePeriodSeconds: asked } = value
  if (asked === undefined || asked <= longestGraceSeconds) return { ...value }
  const reason = `a Pod has at most ${longestGraceSeconds} seconds to end, so the copy has as many`
  const field = `${path}.terminationGracePeriodSeconds`
  refusals.push({ rule: 'podFields', field, reason, remedy: 'ask for less' })
  return { ...value, terminationGracePeriodSeconds: longestGraceSeconds }
}
