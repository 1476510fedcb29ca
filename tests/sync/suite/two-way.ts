import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FaultyHttps, startFaultyHttps } from '../../support/network/faulty-https.ts'
import { type Collection, configMaps, endpoints, oneAddress, secrets, services } from '../support/objects.ts'
import { aWhile, soon, stays } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const all = { sync: { toHost: { configMaps: { all: true }, secrets: { all: true } } } }
const samples: readonly { readonly kind: Collection; readonly fields: object }[] = [
  { kind: endpoints, fields: { subsets: oneAddress('10.0.0.1') } },
  { kind: services, fields: { spec: { ports: [{ port: 80 }] } } },
  { kind: configMaps, fields: { data: { a: '1' } } },
  { kind: secrets, fields: { data: { a: 'MQ==' } } },
]

export function twoWay(stage: () => Stage): void {
  describe('labels and annotations', () => {
    const directory = mkdtempSync(join(tmpdir(), 'tenant-two-way-'))
    let proxy: FaultyHttps
    let tenant: Tenant
    let namespace: string

    beforeAll(async () => {
      const { server } = stage().clusters.host
      proxy = await startFaultyHttps({ directory, target: server })
      const access = { url: `https://127.0.0.1:${proxy.port}`, token: server.token, authority: proxy.authority }
      tenant = await stage().newTenant({ config: all, hostAccess: access })
      namespace = await stage().newNamespace()
    })
    afterAll(async () => {
      await tenant.remove()
      await proxy.remove()
      rmSync(directory, { recursive: true, force: true })
    })

    const synced = async (kind: Collection, name: string, fields: object, metadata: object = {}) => {
      await stage().virtual.create(kind, { metadata: { namespace, name, ...metadata }, ...fields })
      await soon(() => tenant.copy(kind, namespace, name).then(() => undefined))
    }
    const virtualMetadata = async (kind: Collection, name: string) =>
      (await stage().virtual.get(kind, namespace, name)).metadata

    it.concurrent.each(samples.map((sample) => [sample.kind.kind, sample] as const))(
      '%s: what the host sets, changes and removes is synced back',
      async (_, { kind, fields }) => {
        const name = 'host-edits'
        await synced(kind, name, fields, { labels: { kept: 'yes', changed: 'old', removed: 'soon' } })
        await tenant.patchCopy(kind, namespace, name, {
          metadata: {
            labels: { changed: 'new', removed: null, added: 'yes' },
            annotations: { 'example.com/note': 'hello' },
          },
        })
        await soon(async () => {
          const { labels, annotations } = await virtualMetadata(kind, name)
          expect(labels).toEqual({ kept: 'yes', changed: 'new', added: 'yes' })
          expect(annotations).toMatchObject({ 'example.com/note': 'hello' })
        })
        await aWhile()
        const { labels } = (await tenant.copy(kind, namespace, name)).metadata
        expect(labels).toMatchObject({ kept: 'yes', changed: 'new', added: 'yes' })
        expect(labels).not.toHaveProperty('removed')
      },
    )

    it('a label that the host changes again while its first change flows back keeps the second', async () => {
      await synced(configMaps, 'twice', {}, { labels: { l: 'v1' } })
      const labelOf = async () => (await virtualMetadata(configMaps, 'twice')).labels?.l
      proxy.choose(({ method }) => (method === 'PUT' ? { kind: 'delayed', ms: 1_500 } : { kind: 'none' }))
      await tenant.patchCopy(configMaps, namespace, 'twice', { metadata: { labels: { l: 'v2' } } })
      await soon(async () => expect(await labelOf()).toBe('v2'))
      await tenant.patchCopy(configMaps, namespace, 'twice', { metadata: { labels: { l: 'v3' } } })
      proxy.choose(() => ({ kind: 'none' }))
      await soon(async () => expect(await labelOf()).toBe('v3'))
      expect((await tenant.copy(configMaps, namespace, 'twice')).metadata.labels?.l).toBe('v3')
    })

    it('labels and annotations of one side only stay there', async () => {
      const annotations = {
        'control-plane.alpha.kubernetes.io/leader': '{"holderIdentity":"somebody"}',
        'tenant.internal/object-name': 'forged',
      }
      await synced(endpoints, 'private', { subsets: oneAddress('10.0.0.1') }, { annotations })
      const copy = await tenant.copy(endpoints, namespace, 'private')
      expect(copy.metadata.annotations).not.toHaveProperty(['control-plane.alpha.kubernetes.io/leader'])
      expect(copy.metadata.annotations?.['tenant.internal/object-name']).toBe('private')
      await tenant.patchCopy(endpoints, namespace, 'private', {
        metadata: { annotations: { 'control-plane.alpha.kubernetes.io/leader': 'of the host' } },
      })
      await stays(async () => {
        const { annotations: now } = await virtualMetadata(endpoints, 'private')
        expect(now?.['control-plane.alpha.kubernetes.io/leader']).toBe(
          annotations['control-plane.alpha.kubernetes.io/leader'],
        )
        expect(
          Object.keys(now ?? {}).filter(
            (key) => key.startsWith('tenant.internal/') && key !== 'tenant.internal/object-name',
          ),
        ).toEqual([])
      })
    })

    it('changed on both sides while the syncer was down: each side’s own changes are kept, and the virtual side wins', async () => {
      const name = 'both'
      await synced(
        configMaps,
        name,
        { data: { a: '1' } },
        { labels: { contested: '0', host: '0', virtual: '0', gone: '0' } },
      )
      await aWhile()
      await tenant.syncer.kill()
      await tenant.patchCopy(configMaps, namespace, name, {
        metadata: { labels: { contested: 'host', host: '1', gone: null, added: 'host' } },
        data: { a: 'edited' },
      })
      await stage().virtual.patch(configMaps, namespace, name, {
        metadata: { labels: { contested: 'virtual', virtual: '1' } },
      })
      await tenant.syncer.start()
      const merged = { contested: 'virtual', host: '1', virtual: '1', added: 'host' }
      await soon(async () => {
        expect((await virtualMetadata(configMaps, name)).labels).toEqual(merged)
        const copy = await tenant.copy(configMaps, namespace, name)
        expect(copy.metadata.labels).toEqual({ ...merged, ...tenant.marks })
        expect(copy.data).toEqual({ a: '1' })
      })
    })

    it('a label that the virtual side removed while the syncer was down does not return', async () => {
      await synced(configMaps, 'removed', { data: { a: '1' } }, { labels: { gone: '0', kept: '0' } })
      await aWhile()
      await tenant.syncer.kill()
      await stage().virtual.patch(configMaps, namespace, 'removed', { metadata: { labels: { gone: null } } })
      await tenant.syncer.start()
      await soon(async () => {
        const { labels } = (await tenant.copy(configMaps, namespace, 'removed')).metadata
        expect(labels).toEqual({ kept: '0', ...tenant.marks })
      })
      expect((await virtualMetadata(configMaps, 'removed')).labels).toEqual({ kept: '0' })
    })
  })
}
