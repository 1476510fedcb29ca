import type { KubeClient } from '../../client/contract.ts'
import { servedTypeOf } from '../host/objects.ts'
import type { Progress } from '../output/progress.ts'
import type { TenantDeployment } from './manifests/contract.ts'
import { selectorLabels } from './manifests/labels.ts'
import { type Rollout, rolloutOf } from './rollout.ts'

export interface WaitOptions {
  readonly timeoutMs: number
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
}

/** Resolves when all pods of a tenant are ready. Throws with what they wait for when that takes too long. */
export async function waitUntilReady(
  host: KubeClient,
  tenant: Pick<TenantDeployment, 'name' | 'namespace'>,
  { timeoutMs, progress, signal }: WaitOptions,
): Promise<void> {
  const { name, namespace } = tenant
  const labelSelector = Object.entries(selectorLabels(tenant))
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  const setType = await servedTypeOf(host, { apiVersion: 'apps/v1', kind: 'StatefulSet' }, signal)
  const podType = await servedTypeOf(host, { apiVersion: 'v1', kind: 'Pod' }, signal)
  const sets = host.informer(setType, { namespace, fieldSelector: `metadata.name=${name}` })
  const pods = host.informer(podType, { namespace, labelSelector })
  const deadline = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
  let rollout: Rollout = { state: 'waiting', message: 'not seen yet' }
  try {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        rollout = rolloutOf(sets.get({ namespace, name }), [...pods.all()])
        if (rollout.state === 'ready') resolve()
        else progress.detail(rollout.message)
      }
      sets.onChange(look)
      pods.onChange(look)
      deadline.addEventListener('abort', () => reject(notReady(rollout, timeoutMs, signal)), { once: true })
    })
  } finally {
    sets.stop()
    pods.stop()
  }
}

function notReady(rollout: Rollout, timeoutMs: number, signal: AbortSignal | undefined): Error {
  if (signal?.aborted) return new Error('interrupted')
  const why = rollout.state === 'waiting' ? rollout.message : 'ready too late'
  return new Error(`the tenant was not ready within ${Math.round(timeoutMs / 1000)} s: ${why}`)
}
