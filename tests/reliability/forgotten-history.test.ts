import { describe, expect, it } from 'vitest'
import { openEtcdStore } from '../../src/storage/etcd/open.ts'
import { eventually } from '../support/eventually.ts'
import { type Etcd, missingEtcd } from '../support/stores/etcd.ts'
import type { ApiBody, ApiClient } from './support/api-client.ts'
import { runningEtcd, twoReplicas, untilFurnished } from './support/running.ts'

const collection = '/api/v1/namespaces/default/configmaps'
const withoutEtcd = missingEtcd()

describe.skipIf(withoutEtcd)(
  `a server that was away while etcd forgot the changes${withoutEtcd === undefined ? '' : ` (skipped: ${withoutEtcd})`}`,
  () => {
    it('serves the current state, ends its watches, and reports expired history to clients that resume', {
      timeout: 240_000,
    }, async () => {
      const etcd = await runningEtcd()
      const [{ client: first }, { client: second, server }] = await twoReplicas(etcd)
      await untilFurnished(first)
      for (const name of ['stays', 'changes', 'goes']) await first.must('POST', collection, { metadata: { name } })
      const { metadata } = await second.must('GET', collection)
      const watching = await second.watch(collection, metadata.resourceVersion ?? '')

      server.freeze()
      // Cut off first, so that no later event is on its way to the stopped server.
      await etcd.stop()
      await etcd.start()
      await eventually(async () => expect((await first.request('GET', collection)).status).toBe(200))
      for (const step of ['1', '2'])
        await eventually(async () =>
          expect((await first.mergePatch(`${collection}/changes`, { data: { step } })).status).toBe(200),
        )
      await first.must('DELETE', `${collection}/goes`)
      await first.must('POST', collection, { metadata: { name: 'comes' } })
      await forgetHistory(etcd)
      server.thaw()

      await eventually(async () => expect(await contents(second)).toEqual(await contents(first)))
      expect(await watching.ended).toBe('cleanly')
      expect(watching.events).toEqual([])
      const tooOld = await second.watch(collection, metadata.resourceVersion ?? '')
      expect(await tooOld.ended).toBe('cleanly')
      expect(tooOld.events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }])
    })
  },
)

async function forgetHistory({ endpoint }: Etcd): Promise<void> {
  const store = await openEtcdStore({ endpoints: [endpoint], prefix: '/tenant' })
  try {
    await store.compact(await store.currentRevision())
  } finally {
    await store.close()
  }
}

async function contents(client: ApiClient): Promise<readonly ApiBody[] | undefined> {
  return (await client.must('GET', collection)).items
}
