import { expect } from 'vitest'
import type { ClusterClient } from './cluster-client.ts'
import { type Collection, collectionPath, type Draft } from './objects.ts'
import { soon } from './soon.ts'

/** A cluster learns of a new quota shortly after it has accepted it. Resolves when it refuses such an object. */
export async function exceedsQuota(cluster: ClusterClient, collection: Collection, draft: Draft): Promise<void> {
  const { apiVersion, kind } = collection
  const path = `${collectionPath(collection, draft.metadata.namespace ?? '')}?dryRun=All`
  await soon(async () => {
    const { status, body } = await cluster.request('POST', path, { apiVersion, kind, ...draft })
    expect([status, JSON.stringify(body)]).toEqual([403, expect.stringContaining('exceeded quota')])
  })
}
