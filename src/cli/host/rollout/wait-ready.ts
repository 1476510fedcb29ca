import { withinTime } from '../../../base/within-time.ts'
import type { KubeClient } from '../../../client/contract.ts'
import type { Progress } from '../../output/progress.ts'
import { servedTypeOf } from '../objects.ts'
import { selectorOfLabels } from '../owner-labels.ts'
import { removeEndedPods } from './ended-pods.ts'
import { type Rollout, rolloutOf } from './rollout.ts'

/** A workload, and the labels by which its Pods are found. */
export interface AwaitedWorkload {
  readonly kind: 'StatefulSet' | 'Deployment'
  readonly name: string
  readonly namespace: string
  readonly podLabels: Readonly<Record<string, string>>
  /** Its name for people: `the tenant`. */
  readonly shownAs: string
}

export interface WaitOptions {
  readonly timeoutMs: number
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
}

/** Resolves when all its Pods are ready. If that takes too long, throws with what they wait for. */
export async function waitUntilReady(
  host: KubeClient,
  awaited: AwaitedWorkload,
  { timeoutMs, progress, signal }: WaitOptions,
): Promise<void> {
  const { kind, name, namespace } = awaited
  const typeOf = (version: string, each: string) => servedTypeOf(host, { apiVersion: version, kind: each }, signal)
  const labelSelector = selectorOfLabels(awaited.podLabels)
  const workloads = host.informer(await typeOf('apps/v1', kind), {
    namespace,
    fieldSelector: `metadata.name=${name}`,
  })
  const podType = await typeOf('v1', 'Pod')
  const pods = host.informer(podType, { namespace, labelSelector })
  const claims = host.informer(await typeOf('v1', 'PersistentVolumeClaim'), { namespace, labelSelector })
  const events = host.informer(await typeOf('v1', 'Event'), { namespace, fieldSelector: 'type=Warning' })
  const informers = [workloads, pods, claims, events]
  const deadline = withinTime(timeoutMs, ...(signal ? [signal] : []))
  let rollout: Rollout = { state: 'waiting', message: 'not seen yet' }
  try {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        rollout = rolloutOf({
          workload: workloads.get({ namespace, name }),
          pods: [...pods.all()],
          claims: [...claims.all()],
          events: [...events.all()],
        })
        if (rollout.state === 'ready') resolve()
        else progress.detail(rollout.message)
      }
      for (const informer of informers) informer.onChange(look)
      pods.onChange(() => void removeEndedPods(host, podType, [...pods.all()]))
      deadline.addEventListener('abort', () => reject(notReady(awaited, rollout, timeoutMs, signal)), { once: true })
    })
  } finally {
    for (const informer of informers) informer.stop()
  }
}

function notReady(
  { shownAs }: AwaitedWorkload,
  rollout: Rollout,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Error {
  if (signal?.aborted) return signal.reason
  const why = rollout.state === 'waiting' ? rollout.message : 'ready too late'
  return new Error(`${shownAs} was not ready within ${Math.round(timeoutMs / 1000)} s: ${why}`)
}
