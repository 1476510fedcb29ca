import { describe, expect, it } from 'vitest'
import { missingEtcd } from '../support/etcd.ts'
import { eventually } from '../support/eventually.ts'
import { type ApiBody, versionOf } from './support/api-client.ts'
import { Follower } from './support/follower.ts'
import { runningEtcd, twoReplicas } from './support/running.ts'

const collection = '/api/v1/namespaces/default/configmaps'
const rounds = 60
const timeout = 60_000
const withoutEtcd = missingEtcd()

describe.skipIf(withoutEtcd)(
  `two servers on one etcd${withoutEtcd === undefined ? '' : ` (skipped: ${withoutEtcd})`}`,
  () => {
    it('show each other every acknowledged write at once, by GET and by LIST', { timeout }, async () => {
      const [{ client: first }, { client: second }] = await twoReplicas(await runningEtcd())
      for (let round = 0; round < rounds; round += 1) {
        const [writer, reader] = round % 2 === 0 ? [first, second] : [second, first]
        const path = `${collection}/shared-${round % 3}`
        const expected = { round: String(round) }
        const written = await writer.request('PATCH', `${path}?fieldManager=test`, configMap(expected), applyPatch)
        expect(written.status).toBeLessThan(300)
        const [object, list] = await Promise.all([reader.must('GET', path), reader.must('GET', collection)])
        expect(object).toEqual(written.body)
        expect(list.items).toContainEqual(withoutTypeMeta(written.body))
        expect(versionOf(list)).toBeGreaterThanOrEqual(versionOf(written.body))
      }
    })

    it('show each other deletions at once', { timeout }, async () => {
      const [{ client: first }, { client: second }] = await twoReplicas(await runningEtcd())
      for (let round = 0; round < rounds / 3; round += 1) {
        const path = `${collection}/passing`
        await first.must('POST', collection, { metadata: { name: 'passing' } })
        await second.must('DELETE', path)
        expect(await first.request('GET', path)).toMatchObject({ status: 404, body: { reason: 'NotFound' } })
        expect(await names(first.must('GET', collection))).not.toContain('passing')
      }
    })

    it('tell their watchers the writes of both, each once and in the same order', { timeout }, async () => {
      const replicas = await twoReplicas(await runningEtcd())
      const [{ client: first }, { client: second }] = replicas
      const { metadata } = await first.must('GET', collection)
      const followers = [first, second].map(() => new Follower(collection, metadata.resourceVersion ?? ''))
      await Promise.all([first, second].map((client, index) => followers[index]?.follow(client)))
      const written = await Promise.all(
        [first, second, first, second].map(async (client, writer) => {
          const versions: number[] = []
          const { metadata } = await client.must('POST', collection, { metadata: { name: `told-${writer}` } })
          versions.push(Number(metadata.resourceVersion))
          for (let step = 0; step < rounds / 2; step += 1) {
            const answer = await client.mergePatch(`${collection}/told-${writer}`, { data: { step: String(step) } })
            versions.push(versionOf(answer.body))
          }
          return versions
        }),
      )
      const expected = written.flat().sort((left, right) => left - right)
      for (const follower of followers) {
        await eventually(() => expect(follower.events.map(({ object }) => versionOf(object))).toEqual(expected))
      }
      expect(followers[0]?.events).toEqual(followers[1]?.events)
    })
  },
)

const applyPatch = 'application/apply-patch+yaml'

function configMap(data: Readonly<Record<string, string>>) {
  return { apiVersion: 'v1', kind: 'ConfigMap', data }
}

function withoutTypeMeta({ kind: _, ...item }: ApiBody & { readonly apiVersion?: string }) {
  const { apiVersion: __, ...rest } = item
  return rest
}

async function names(list: Promise<ApiBody>): Promise<readonly (string | undefined)[]> {
  return ((await list).items ?? []).map(({ metadata }) => metadata.name)
}
