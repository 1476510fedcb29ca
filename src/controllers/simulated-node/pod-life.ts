import type { Container, EphemeralContainer, Pod } from '../../api/types/core-v1.ts'
import { controllerIn } from '../ownership/owned.ts'
import { podConditionIs } from '../pods/pod-conditions.ts'
import { hasEnded } from '../pods/pod-facts.ts'
import type { SimulatedTimes } from './settings.ts'

/** Later ends are not awaited. */
const longestTimerMs = 864_000_000
const msOf: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** What happens to a Pod next, and how long after the last step. */
export interface LifeStep {
  readonly step: 'start' | 'ready' | 'debug' | 'complete' | 'remove'
  readonly afterMs: number
}

/** Undefined: it stays as it is. */
export function nextLifeStep(pod: Pod, times: SimulatedTimes): LifeStep | undefined {
  const { metadata, status } = pod
  if (metadata.deletionTimestamp !== undefined) return removal(metadata.deletionGracePeriodSeconds ?? 0, times)
  if (hasEnded(status.phase ?? '')) return undefined
  if (status.phase !== 'Running') return { step: 'start', afterMs: times.startMs }
  if (!areContainersReady(pod)) return { step: 'ready', afterMs: times.readyMs }
  if (!podConditionIs(status.conditions, 'Ready', isReadyByGates(pod) ? 'True' : 'False')) {
    return { step: 'ready', afterMs: 0 }
  }
  if (newDebuggers(pod).length > 0) return { step: 'debug', afterMs: times.startMs }
  return doesJob(pod) ? completion(pod, times) : undefined
}

/** A container that only sleeps takes as long as its command says. */
function completion({ spec }: Pod, { runMs }: SimulatedTimes): LifeStep | undefined {
  const afterMs = Math.max(...(spec.containers ?? []).map((each) => sleepMs(each) ?? runMs))
  return afterMs <= longestTimerMs ? { step: 'complete', afterMs } : undefined
}

function sleepMs({ command = [], args = [] }: Container): number | undefined {
  const [program, duration = '', ...rest] = [...command, ...args]
  if (program !== 'sleep' || rest.length > 0) return undefined
  if (/^inf(inity)?$/.test(duration)) return Number.POSITIVE_INFINITY
  const [, amount, unit = 's'] = /^(\d{1,12})([smhd])?$/.exec(duration) ?? []
  return amount === undefined ? undefined : Number(amount) * (msOf[unit] ?? 0)
}

/** Without a probe, a container is ready when it runs. */
export function isProbed({ spec }: Pod): boolean {
  return (spec.containers ?? []).some(
    ({ readinessProbe, startupProbe }) => readinessProbe !== undefined || startupProbe !== undefined,
  )
}

/** A Pod whose grace period is over already waits for its finalizers. */
function removal(graceSeconds: number, { stopMs }: SimulatedTimes): LifeStep | undefined {
  return graceSeconds === 0 ? undefined : { step: 'remove', afterMs: Math.min(stopMs, graceSeconds * 1_000) }
}

/** Ephemeral containers, which are added to running Pods, that have not started. */
export function newDebuggers({ spec, status }: Pod): readonly EphemeralContainer[] {
  const started = new Set(status.ephemeralContainerStatuses?.map(({ name }) => name))
  return (spec.ephemeralContainers ?? []).filter(({ name }) => !started.has(name))
}

function areContainersReady({ status }: Pod): boolean {
  return (status.containerStatuses ?? []).every(({ ready }) => ready)
}

/** Readiness gates let others decide whether a Pod is ready. */
export function isReadyByGates({ spec, status }: Pod): boolean {
  return (spec.readinessGates ?? []).every(({ conditionType }) =>
    podConditionIs(status.conditions, conditionType, 'True'),
  )
}

/** A Job gives its Pods two labels. On a copy, the older one has the key by which the syncer selects it. */
const jobLabels = ['batch.kubernetes.io/job-name', 'job-name', 'tenant.internal/l-v5b91inptfz3g']

/** On the host, the copy of a Pod of a virtual cluster has no owner, but has the labels. */
function doesJob({ metadata, spec }: Pod): boolean {
  if (spec.restartPolicy === 'Always') return false
  const { labels = {} } = metadata
  return controllerIn(metadata)?.kind === 'Job' || jobLabels.some((label) => Object.hasOwn(labels, label))
}
