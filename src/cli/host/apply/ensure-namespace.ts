import { pause } from '../../../base/pause.ts'
import type { KubeClient } from '../../../client/contract.ts'
import type { Progress } from '../../output/progress.ts'
import type { Manifest } from '../manifest.ts'
import { existing } from '../objects.ts'
import { applyToHost } from './apply-object.ts'
import { isMadeFor } from './objects.ts'

const pollMs = 500

export interface NamespaceOptions {
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
  /** How long to wait for a namespace under deletion to be gone; 0: no waiting. */
  readonly patienceMs: number
}

/** Whether the namespace was created for this owner, now or before. One under deletion must be gone first. */
export async function ensureNamespace(host: KubeClient, wanted: Manifest, options: NamespaceOptions): Promise<boolean> {
  const { name = '' } = wanted.metadata
  const { progress, signal, patienceMs } = options
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const found = await existing(host, wanted, signal)
    if (found === undefined) break
    if (found.metadata.deletionTimestamp === undefined) return isMadeFor(found, wanted)
    if (waitedMs >= patienceMs) throw isBeingDeleted(name)
    progress.detail(`namespace ${name} is being deleted; it is created again when it is gone`)
    await pause(pollMs, signal)
  }
  await applyToHost(host, wanted, undefined, signal)
  return true
}

function isBeingDeleted(namespace: string): Error {
  return new Error(
    `namespace ${namespace} is being deleted, with Pods that may take a while to end; ` +
      `try again when it is gone: kubectl wait --for=delete namespace/${namespace}. Nothing was changed`,
  )
}
