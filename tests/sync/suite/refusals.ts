import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FaultyHttps, startFaultyHttps } from '../../support/network/faulty-https.ts'
import { freePort } from '../../support/network/free-port.ts'
import { startAdmissionWebhook } from '../support/admission-webhook.ts'
import { limitedAccount } from '../support/limited-account.ts'
import { configMaps, endpoints, events, oneAddress } from '../support/objects.ts'
import { exceedsQuota } from '../support/quotas.ts'
import { aWhile, soon } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

const all = { sync: { toHost: { configMaps: { all: true } } } }
/** Of one kind, and how many of them the syncer writes at once. */
const [slowObjects, writtenAtOnce] = [40, 16]
const quotas = { apiVersion: 'v1', kind: 'ResourceQuota', plural: 'resourcequotas' }

export function refusals(stage: () => Stage): void {
  /** How often an object was refused, according to its Event. */
  const tries = async (namespace: string, name: string) => {
    const told = await stage().virtual.list(events, namespace)
    return Number(told.find(({ involvedObject }) => Object(involvedObject).name === name)?.count)
  }

  describe('a host that refuses', () => {
    const directory = mkdtempSync(join(tmpdir(), 'tenant-refusals-'))
    let proxy: FaultyHttps
    let tenant: Tenant

    beforeAll(async () => {
      const { server } = stage().clusters.host
      proxy = await startFaultyHttps({ directory, target: server })
      const access = { url: `https://127.0.0.1:${proxy.port}`, token: server.token, authority: proxy.authority }
      tenant = await stage().newTenant({ config: all, hostAccess: access })
    })
    afterAll(async () => {
      await tenant.remove()
      await proxy.remove()
      rmSync(directory, { recursive: true, force: true })
    })

    it('one object: the tenant gets the reason, the others continue, and it is retried', async () => {
      const namespace = await stage().newNamespace()
      await stage().virtual.create(configMaps, { metadata: { namespace, name: 'refused' }, data: { a: '1' } })
      await soon(() => tenant.copy(configMaps, namespace, 'refused').then(() => undefined))
      const path = `/configmaps/${tenant.hostName(namespace, 'refused')}`
      proxy.choose(({ method, path: asked }) =>
        method === 'PUT' && asked.includes(path) ? { kind: 'refused', status: 403 } : { kind: 'none' },
      )
      await stage().virtual.patch(configMaps, namespace, 'refused', { data: { a: '2' } })
      await soon(async () =>
        expect((await stage().warnings(namespace, 'refused')).join()).toContain('a fault that was injected'),
      )
      await stage().virtual.create(configMaps, { metadata: { namespace, name: 'other' }, data: { b: '1' } })
      await soon(async () => expect((await tenant.copy(configMaps, namespace, 'other')).data).toEqual({ b: '1' }))
      proxy.choose(() => ({ kind: 'none' }))
      await soon(async () => expect((await tenant.copy(configMaps, namespace, 'refused')).data).toEqual({ a: '2' }))
    })

    it('a whole verb: Event, metric and backoff for one, while the others continue', async () => {
      const { host, virtual } = stage()
      const hostNamespace = await stage().newHostNamespace()
      const account = await limitedAccount(host, hostNamespace)
      const { url, authority } = stage().clusters.host.server
      const hostAccess = { url, authority, token: account.token }
      const statusPort = await freePort()
      const flags = ['--status-port', String(statusPort)]
      const limited = await stage().newTenant({ hostNamespace, config: all, hostAccess, flags })
      const errors = async () => {
        const text = await (await fetch(`http://127.0.0.1:${statusPort}/metrics`)).text()
        return Number(
          /^tenant_sync_errors_total\{kind="configMaps",reason="WriteRefused"\} (\d+)/m.exec(text)?.[1] ?? 0,
        )
      }
      const namespace = await stage().newNamespace()
      await virtual.create(configMaps, { metadata: { namespace, name: 'forbidden' }, data: { a: '1' } })
      await soon(async () => {
        expect((await stage().warnings(namespace, 'forbidden')).join()).toMatch(/^WriteRefused: .*forbidden/)
        expect(await errors()).toBeGreaterThan(0)
      })
      await virtual.create(endpoints, { metadata: { namespace, name: 'allowed' }, subsets: oneAddress('10.0.0.1') })
      await soon(() => limited.copy(endpoints, namespace, 'allowed').then(() => undefined))
      const [before, startMs] = [await tries(namespace, 'forbidden'), performance.now()]
      await delay(2_500)
      const more = (await tries(namespace, 'forbidden')) - before
      // Pauses begin at a second. One more, because an Event is written after its attempt.
      expect(more).toBeLessThanOrEqual(1 + Math.max(2, (performance.now() - startMs) / 1_000))
      await account.allow('configmaps')
      await soon(async () => expect((await limited.copy(configMaps, namespace, 'forbidden')).data).toEqual({ a: '1' }))
      await limited.remove()
    })

    it('by an admission webhook: its message reaches the tenant, the others continue, and in the end all is synced', async ({
      onTestFinished,
      skip,
    }) => {
      if (stage().pairing.host !== 'real') skip('the embedded host asks no webhooks')
      const { host, virtual } = stage()
      const webhook = await startAdmissionWebhook(host, tenant.hostNamespace)
      onTestFinished(() => webhook.remove())
      const namespace = await stage().newNamespace()
      const dataOf = async (name: string) => (await tenant.copy(configMaps, namespace, name)).data
      await virtual.create(configMaps, { metadata: { namespace, name: 'changed' }, data: { a: '1' } })
      await soon(async () => expect(await dataOf('changed')).toEqual({ a: '1' }))
      webhook.refuse('no second thoughts on a Friday')
      await virtual.patch(configMaps, namespace, 'changed', { data: { a: '2' } })
      await virtual.create(configMaps, { metadata: { namespace, name: 'new' }, data: { b: '1' } })
      await virtual.create(endpoints, { metadata: { namespace, name: 'unasked' }, subsets: oneAddress('10.0.0.1') })
      for (const name of ['changed', 'new']) {
        await soon(async () =>
          expect((await stage().warnings(namespace, name)).join()).toMatch(/^WriteRefused: .*no second thoughts/),
        )
      }
      await soon(() => tenant.copy(endpoints, namespace, 'unasked').then(() => undefined))
      expect(await dataOf('changed')).toEqual({ a: '1' })
      webhook.refuse(undefined)
      await soon(async () => {
        expect(await dataOf('changed')).toEqual({ a: '2' })
        expect(await dataOf('new')).toEqual({ b: '1' })
      }, 240_000)
    })

    it('what exceeds a quota: reported once for each reason, and synced when there is room', async ({ skip }) => {
      if (stage().pairing.host !== 'real') skip('the embedded host has no quotas')
      const { host, virtual } = stage()
      const { hostNamespace } = tenant
      const quota = { metadata: { namespace: hostNamespace, name: 'few' } }
      await host.create(quotas, { ...quota, spec: { hard: { configmaps: '1' } } })
      const status = (hard: string) => ({ status: { hard: { configmaps: hard }, used: { configmaps: '0' } } })
      await host.patch(quotas, hostNamespace, 'few', status('0'), 'status')
      await exceedsQuota(host, configMaps, { metadata: { namespace: hostNamespace, name: 'asks-the-quota' } })
      const namespace = await stage().newNamespace()
      await virtual.create(configMaps, { metadata: { namespace, name: 'too-many' }, data: { a: '1' } })
      await soon(async () => expect((await stage().warnings(namespace, 'too-many')).join()).toContain('exceeded quota'))
      await aWhile()
      expect((await stage().warnings(namespace, 'too-many')).length).toBe(1)
      await virtual.create(endpoints, { metadata: { namespace, name: 'unlimited' }, subsets: oneAddress('10.0.0.1') })
      await soon(() => tenant.copy(endpoints, namespace, 'unlimited').then(() => undefined))
      await host.delete(quotas, hostNamespace, 'few')
      await soon(async () => expect((await tenant.copy(configMaps, namespace, 'too-many')).data).toEqual({ a: '1' }))
    })

    it('nothing, but is slow with one kind: the others are not delayed', async () => {
      const namespace = await stage().newNamespace()
      let [release, held] = [() => {}, 0]
      const until = new Promise<void>((resolve) => {
        release = resolve
      })
      proxy.choose(({ method, path }) => {
        if (method !== 'POST' || !path.includes('/configmaps')) return { kind: 'none' }
        held += 1
        return { kind: 'held', until }
      })
      for (let number = 0; number < slowObjects; number++) {
        await stage().virtual.create(configMaps, { metadata: { namespace, name: `slow-${number}` }, data: { a: '1' } })
      }
      // As many as the syncer writes at once; the others come before what follows.
      await soon(async () => expect(held).toBeGreaterThanOrEqual(writtenAtOnce))
      await stage().virtual.create(endpoints, {
        metadata: { namespace, name: 'quick' },
        subsets: oneAddress('10.0.0.1'),
      })
      await soon(() => tenant.copy(endpoints, namespace, 'quick').then(() => undefined))
      expect(held).toBeLessThan(slowObjects)
      proxy.choose(() => ({ kind: 'none' }))
      release()
    })
  })
}
