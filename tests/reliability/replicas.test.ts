import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { type ApiClient, versionOf } from './support/api-client.ts'
import { Follower } from './support/follower.ts'
import { startTwoReplicas, untilFurnished } from './support/running.ts'

const collection = '/api/v1/namespaces/default/configmaps'
const services = '/api/v1/namespaces/default/services'
const applyPatch = 'application/apply-patch+yaml'
const rounds = 60
const timeout = 300_000
const withoutEtcd = missingEtcd()

describe.skipIf(withoutEtcd)(
  `two servers on one etcd${withoutEtcd === undefined ? '' : ` (skipped: ${withoutEtcd})`}`,
  () => {
    let first: ApiClient
    let second: ApiClient

    beforeAll(async () => {
      const directory = await mkdtemp(join(tmpdir(), 'tenant-replicas-'))
      const etcd = await startEtcd()
      const replicas = await startTwoReplicas(etcd, directory)
      first = replicas[0].client
      second = replicas[1].client
      return async () => {
        for (const replica of replicas) await replica.stop()
        await etcd.remove()
        await rm(directory, { recursive: true, force: true })
      }
    }, timeout)

    it('show each other every acknowledged write at once, by GET and by LIST', { timeout }, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const [writer, reader] = round % 2 === 0 ? [first, second] : [second, first]
        const name = `shared-${round % 3}`
        const path = `${collection}/${name}`
        const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { round: String(round) } }
        const written = await writer.request('PATCH', `${path}?fieldManager=test`, config, applyPatch)
        expect(written.status).toBeLessThan(300)
        const [object, list] = await Promise.all([reader.must('GET', path), reader.must('GET', collection)])
        expect(object).toEqual(written.body)
        expect(list.items).toContainEqual(expect.objectContaining({ metadata: written.body.metadata }))
        expect(versionOf(list)).toBeGreaterThanOrEqual(versionOf(written.body))
      }
    })

    it('show each other deletions at once', { timeout }, async () => {
      const path = `${collection}/passing`
      for (let round = 0; round < rounds / 3; round += 1) {
        await first.must('POST', collection, { metadata: { name: 'passing' } })
        await second.must('DELETE', path)
        expect(await first.request('GET', path)).toMatchObject({ status: 404, body: { reason: 'NotFound' } })
        const { items = [] } = await first.must('GET', collection)
        expect(items.map(({ metadata }) => metadata.name)).not.toContain('passing')
      }
    })

    it('assign a unique cluster IP to every Service, whichever is called', { timeout }, async () => {
      const made = Array.from({ length: 30 }, (_, index) =>
        (index % 2 === 0 ? first : second).must('POST', services, {
          metadata: { name: `service-${index}` },
          spec: { ports: [{ port: 80 }] },
        }),
      )
      const addresses = (await Promise.all(made)).map(({ spec }) => spec?.clusterIP)
      expect(addresses).not.toContain(undefined)
      expect(new Set(addresses).size).toBe(addresses.length)
      for (const client of [first, second]) {
        const { items = [] } = await client.must('GET', services)
        expect(items.map(({ spec }) => spec?.clusterIP)).toEqual(expect.arrayContaining(addresses))
      }
    })

    it('report the writes of both to their watchers, each once and in the same order', { timeout }, async () => {
      await untilFurnished(first)
      const { metadata } = await first.must('GET', collection)
      const followers = [first, second].map(() => new Follower(collection, metadata.resourceVersion ?? ''))
      const watching = await Promise.all([first, second].map((client, index) => followers[index]?.follow(client)))
      const written = await Promise.all(
        [first, second, first, second].map((client, writer) => writeTold(client, writer)),
      )
      const expected = written.flat().sort((left, right) => left - right)
      for (const follower of followers) {
        await eventually(() => expect(follower.events.map(({ object }) => versionOf(object))).toEqual(expected))
      }
      expect(followers[0]?.events).toEqual(followers[1]?.events)
      for (const watch of watching) await watch?.stop()
    })
  },
)

/** Returns the resourceVersions of its writes. */
async function writeTold(client: ApiClient, writer: number): Promise<readonly number[]> {
  const versions = [versionOf(await client.must('POST', collection, { metadata: { name: `told-${writer}` } }))]
  for (let step = 0; step < rounds / 2; step += 1) {
    const { body } = await client.mergePatch(`${collection}/told-${writer}`, { data: { step: String(step) } })
    versions.push(versionOf(body))
  }
  return versions
}
