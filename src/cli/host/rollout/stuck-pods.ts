import { setTimeout as pause } from 'node:timers/promises'
import { isRefusal } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { KubeClient } from '../../../client/contract.ts'
import type { Manifest } from '../manifest.ts'
import { existing, objectKeyOf, servedTypeOf } from '../objects.ts'
import { partOf } from './parts.ts'
import { comingPods } from './why-waiting.ts'

const pollMs = 200
const patienceMs = 2_000

/**
 * A StatefulSet waits for a Pod that does not become ready, also when it has been told to run another one instead. Removes
 * those of the given StatefulSets, once their controller has seen what is wanted now.
 */
export async function removeStuckPods(host: KubeClient, manifests: readonly Manifest[]): Promise<void> {
  for (const manifest of manifests.filter(({ kind }) => kind === 'StatefulSet')) {
    await untilSeen(host, manifest)
    const type = await servedTypeOf(host, { apiVersion: 'v1', kind: 'Pod' })
    const { namespace } = objectKeyOf(manifest)
    const { items } = await host.list(type, { namespace, labelSelector: selectorOf(manifest) })
    for (const pod of comingPods(items)) {
      const { uid = '' } = pod.metadata
      await host.delete(type, objectKeyOf(pod), { uid }).catch((error: unknown) => {
        if (!isRefusal(error, 404, 409)) throw error
      })
    }
  }
}

async function untilSeen(host: KubeClient, manifest: Manifest): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    const found = await existing(host, manifest)
    if (found === undefined || isSeen(found)) return
    await pause(pollMs)
  }
}

function isSeen({ metadata, status }: KubeObject): boolean {
  return Number(partOf(status).observedGeneration ?? 0) >= (metadata.generation ?? 1)
}

function selectorOf({ spec }: Manifest): string {
  return Object.entries(partOf(partOf(partOf(spec).selector).matchLabels))
    .map(([label, value]) => `${label}=${value}`)
    .join(',')
}
