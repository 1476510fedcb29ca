import { beforeAll, describe, expect, it } from 'vitest'
import { certificates, definesCustomResources, issuers } from '../support/custom-resources.ts'
import { configMaps, secrets } from '../support/objects.ts'
import { settled, soon, stays } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

export function imports(stage: () => Stage): void {
  describe('imports from the host', () => {
    let tenant: Tenant
    /** A namespace of the host. */
    let shared: string
    let own: string
    /** A namespace of the virtual cluster that no test creates. */
    let many: string
    let hasCustomResources: boolean

    const issuer = () => `issuer-${shared}`
    const customResources = () => ({
      'certificates.tests.example.com': { enabled: true, mappings: { byName: { [`${shared}/*`]: `${own}/*` } } },
      'issuers.tests.example.com': { enabled: true, mappings: { byName: { [issuer()]: `${issuer()}-imported` } } },
    })
    const patched = (hostClusterDomain: string) => ({
      networking: { hostClusterDomain },
      sync: {
        toHost: { secrets: { all: true } },
        fromHost: {
          secrets: {
            enabled: true,
            mappings: { byName: { [`${shared}/exact`]: `${own}/renamed`, [`${shared}/*`]: `${many}/*` } },
          },
          configMaps: {
            enabled: true,
            mappings: { byName: { [`${shared}/settings`]: `${own}/settings` } },
            patches: [
              {
                path: 'data.domain',
                reverseExpression:
                  'value === "bad" ? value.no.thing : value + "." + context.vcluster.config.networking.hostClusterDomain',
              },
            ],
          },
          customResources: hasCustomResources ? customResources() : {},
        },
      },
    })

    beforeAll(async () => {
      shared = await stage().newHostNamespace()
      own = await stage().newNamespace()
      many = `${own}-many`
      const { virtual, host } = stage()
      hasCustomResources = (await definesCustomResources(virtual)) && (await definesCustomResources(host))
      tenant = await stage().newTenant({ config: patched('one.example') })
    })

    const virtualData = async (namespace: string, name: string) =>
      (await stage().virtual.find(secrets, namespace, name))?.data
    const share = (name: string, data: Record<string, string>, fields: object = {}) =>
      stage().host.create(secrets, { metadata: { namespace: shared, name }, data, ...fields })

    it('sync a Secret by its name and a whole namespace by a wildcard, into a namespace that they create', async () => {
      await share('exact', { a: base64('1') })
      await share('first', { a: base64('2') })
      await share('second', { a: base64('3') })
      await soon(async () => {
        expect(await virtualData(own, 'renamed')).toEqual({ a: base64('1') })
        expect(await virtualData(many, 'first')).toEqual({ a: base64('2') })
        expect(await virtualData(many, 'second')).toEqual({ a: base64('3') })
      })
      expect(await virtualData(many, 'exact')).toBeUndefined()
      expect(await tenant.findCopy(secrets, many, 'first')).toBeUndefined()
    })

    it('follow changed and removed values, even if all are removed', async () => {
      const { host } = stage()
      await share('shrinking', { kept: base64('1'), removed: base64('2') })
      await soon(async () => expect(Object.keys((await virtualData(many, 'shrinking')) ?? {})).toHaveLength(2))
      await host.patch(secrets, shared, 'shrinking', { data: { removed: null } })
      await soon(async () => expect(await virtualData(many, 'shrinking')).toEqual({ kept: base64('1') }))
      await host.patch(secrets, shared, 'shrinking', { data: null })
      await soon(async () => {
        const { data = {} } = await stage().virtual.get(secrets, many, 'shrinking')
        expect(data).toEqual({})
      })
    })

    it('are deleted with their source, and replaced if a recreated source has immutable differences', async () => {
      const { host, virtual } = stage()
      await share('replaced', { a: base64('1') }, { type: 'example.com/one', immutable: true })
      await share('deleted', { a: base64('1') })
      await soon(async () => {
        expect(await virtual.get(secrets, many, 'replaced')).toMatchObject({ type: 'example.com/one', immutable: true })
        expect(await virtualData(many, 'deleted')).toEqual({ a: base64('1') })
      })
      await host.delete(secrets, shared, 'deleted')
      await host.delete(secrets, shared, 'replaced')
      await share('replaced', { a: base64('2') }, { type: 'example.com/two' })
      await soon(async () => {
        expect(await virtual.find(secrets, many, 'deleted')).toBeUndefined()
        expect(await virtual.get(secrets, many, 'replaced')).toMatchObject({
          type: 'example.com/two',
          data: { a: base64('2') },
        })
      })
    })

    it('that a user copies under another name belong to the tenant: they stay, and are synced', async () => {
      const { virtual } = stage()
      await share('model', { a: base64('1') })
      await soon(async () => expect(await virtualData(many, 'model')).toBeDefined())
      const { labels = {}, annotations = {} } = (await virtual.get(secrets, many, 'model')).metadata
      const mine = { metadata: { namespace: own, name: 'mine', labels, annotations }, data: { a: base64('mine') } }
      await virtual.create(secrets, mine)
      await soon(async () => expect((await tenant.copy(secrets, own, 'mine')).data).toEqual({ a: base64('mine') }))
      await stays(async () => expect(await virtualData(own, 'mine')).toEqual({ a: base64('mine') }))
    })

    it('do not overwrite an existing object, report it, and follow when the name is free', async () => {
      const { virtual } = stage()
      await soon(async () => expect(await virtualData(many, 'first')).toBeDefined())
      await virtual.create(secrets, { metadata: { namespace: many, name: 'taken' }, data: { a: base64('own') } })
      await share('taken', { a: base64('shared') })
      await soon(async () => expect((await stage().warnings(many, 'taken')).join()).toMatch(/^ImportNameTaken/))
      expect(await virtualData(many, 'taken')).toEqual({ a: base64('own') })
      await virtual.delete(secrets, many, 'taken')
      await soon(async () => expect(await virtualData(many, 'taken')).toEqual({ a: base64('shared') }))
    })

    it('are patched by the current configuration, and report failures', async () => {
      const { host, virtual } = stage()
      const domain = async () => {
        const data = (await virtual.find(configMaps, own, 'settings'))?.data
        return typeof data === 'object' && data !== null && 'domain' in data ? data.domain : undefined
      }
      await host.create(configMaps, { metadata: { namespace: shared, name: 'settings' }, data: { domain: 'bad' } })
      await soon(async () => expect((await stage().warnings(own, 'settings')).join()).toMatch(/^PatchFailed/))
      expect(await domain()).toBeUndefined()
      await host.patch(configMaps, shared, 'settings', { data: { domain: 'web' } })
      await soon(async () => expect(await domain()).toBe('web.one.example'))
      tenant.syncer.configure(JSON.stringify(patched('two.example')))
      await soon(async () => expect(await domain()).toBe('web.two.example'))
      await host.patch(configMaps, shared, 'settings', { data: { domain: 'bad' } })
      await stays(async () => expect(await domain()).toBe('web.two.example'))
      await host.patch(configMaps, shared, 'settings', { data: { domain: 'good' } })
      await soon(async () => expect(await domain()).toBe('good.two.example'))
    })

    it('of custom resources lose the fields that their source loses, namespaced or not', async ({ skip }) => {
      const { host, virtual } = stage()
      if (!hasCustomResources) skip('one of the APIs serves no custom resources')
      const name = issuer()
      await host.create(certificates, { metadata: { namespace: shared, name: 'web' }, spec: { a: 1, b: 2 } })
      await host.create(issuers, { metadata: { name }, spec: { a: 1, b: 2 }, more: true })
      const both = async () => [
        await virtual.get(certificates, own, 'web'),
        await virtual.get(issuers, '', `${name}-imported`),
      ]
      await soon(async () => expect((await both()).map(({ spec }) => spec)).toEqual(Array(2).fill({ a: 1, b: 2 })))
      await host.patch(certificates, shared, 'web', { spec: { b: null } })
      await host.patch(issuers, '', name, { spec: { b: null }, more: null })
      await soon(async () => {
        const now = await both()
        expect(now.map(({ spec }) => spec)).toEqual(Array(2).fill({ a: 1 }))
        for (const each of now) expect(each).not.toHaveProperty('more')
      })
      await host.delete(certificates, shared, 'web')
      await host.delete(issuers, '', name)
      await soon(async () => {
        expect(await virtual.find(certificates, own, 'web')).toBeUndefined()
        expect(await virtual.find(issuers, '', `${name}-imported`)).toBeUndefined()
      })
    })

    it('write nothing while nothing changes, even after a restart', async () => {
      const versions = async () =>
        (await stage().virtual.list(secrets, many)).map(({ metadata }) => metadata.resourceVersion)
      await soon(async () => expect((await versions()).length).toBeGreaterThan(3))
      const before = await settled(versions)
      await tenant.syncer.kill()
      await tenant.syncer.start()
      await stays(async () => expect(await versions()).toEqual(before))
    })
  })
}
