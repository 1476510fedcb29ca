import type { KubeClient } from '../../../client/contract.ts'
import type { Manifest } from '../manifest.ts'
import { existing } from '../objects.ts'
import { applyToHost } from './apply-object.ts'
import { isMadeFor } from './objects.ts'

/** Whether the namespace was made for this owner, now or before. */
export async function ensureNamespace(host: KubeClient, wanted: Manifest, signal?: AbortSignal): Promise<boolean> {
  const found = await existing(host, wanted, signal)
  if (found?.metadata.deletionTimestamp !== undefined) throw isBeingDeleted(wanted.metadata.name ?? '')
  if (found !== undefined) return isMadeFor(found, wanted)
  await applyToHost(host, wanted, undefined, signal)
  return true
}

function isBeingDeleted(namespace: string): Error {
  return new Error(
    `namespace ${namespace} is being deleted, with Pods that may take a while to end; ` +
      `try again when it is gone: kubectl wait --for=delete namespace/${namespace}. Nothing was changed`,
  )
}
