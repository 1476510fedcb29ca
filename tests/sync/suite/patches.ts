import { describe, expect, it } from 'vitest'
import { startFaultyTcp } from '../../support/faulty-tcp.ts'
import { endpoints, oneAddress, type Thing } from '../support/objects.ts'
import { exampleKeysAllowed } from '../support/policies.ts'
import { aWhile, settled, soon, stays } from '../support/soon.ts'
import type { Stage, Tenant } from '../support/stage.ts'

export interface TestPatch {
  readonly path: string
  readonly expression?: string
  readonly reverseExpression?: string
  readonly labels?: object
}

export function endpointsPatches(...patches: readonly TestPatch[]): object {
  return { sync: { toHost: { endpoints: { patches } } }, policies: exampleKeysAllowed }
}

const note = 'example.com/note'
const notePath = `metadata.annotations["${note}"]`
const subsets = oneAddress('10.0.0.1')

export function patches(stage: () => Stage): void {
  const create = (namespace: string, name: string, annotations: Record<string, string>) =>
    stage().virtual.create(endpoints, { metadata: { namespace, name, annotations }, subsets })
  const onHost = async (tenant: Tenant, namespace: string, name: string) =>
    (await tenant.copy(endpoints, namespace, name)).metadata.annotations?.[note]
  const onVirtual = async (namespace: string, name: string) =>
    (await stage().virtual.get(endpoints, namespace, name)).metadata.annotations?.[note]

  describe('patches', () => {
    it('change a field on the way out and undo it on the way back', async () => {
      const pair = { path: notePath, expression: '"host-" + value', reverseExpression: 'value.slice(5)' }
      const tenant = await stage().newTenant({ config: endpointsPatches(pair) })
      const namespace = await stage().newNamespace()
      await create(namespace, 'paired', { [note]: 'one' })
      await soon(async () => expect(await onHost(tenant, namespace, 'paired')).toBe('host-one'))
      await tenant.patchCopy(endpoints, namespace, 'paired', { metadata: { annotations: { [note]: 'host-two' } } })
      await soon(async () => expect(await onVirtual(namespace, 'paired')).toBe('two'))
      await stays(async () => expect(await onHost(tenant, namespace, 'paired')).toBe('host-two'))
      await tenant.remove()
    })

    it('of a changed tenant.yaml apply to what is there, without a restart', async () => {
      const prefix = (text: string) =>
        endpointsPatches({
          path: notePath,
          expression: `"${text}" + value`,
          reverseExpression: `value.slice(${text.length})`,
        })
      const tenant = await stage().newTenant({ config: prefix('a-') })
      const namespace = await stage().newNamespace()
      await create(namespace, 'live', { [note]: 'x' })
      await soon(async () => expect(await onHost(tenant, namespace, 'live')).toBe('a-x'))
      const { pid } = tenant.syncer
      for (const [config, expected] of [
        [prefix('bb-'), 'bb-x'],
        [endpointsPatches(), 'x'],
        [prefix('c-'), 'c-x'],
      ] as const) {
        tenant.syncer.configure(JSON.stringify(config))
        await soon(async () => expect(await onHost(tenant, namespace, 'live')).toBe(expected))
        expect(await onVirtual(namespace, 'live')).toBe('x')
      }
      expect(tenant.syncer.pid).toBe(pid)
      await tenant.remove()
    })

    it('of a changed tenant.yaml apply also to what was being written at that moment', async () => {
      const prefix = (text: string) => endpointsPatches({ path: notePath, expression: `"${text}" + value` })
      const { server } = stage().clusters.host
      const proxy = await startFaultyTcp(server.port)
      const hostAccess = { url: `https://127.0.0.1:${proxy.port}`, token: server.token, authority: server.authority }
      const tenant = await stage().newTenant({ config: prefix('a-'), hostAccess })
      const namespace = await stage().newNamespace()
      await create(namespace, 'caught', { [note]: 'x' })
      await soon(async () => expect(await onHost(tenant, namespace, 'caught')).toBe('a-x'))
      await proxy.set({ kind: 'slow', delayMs: 800 })
      await stage().virtual.patch(endpoints, namespace, 'caught', { metadata: { annotations: { [note]: 'y' } } })
      tenant.syncer.configure(JSON.stringify(prefix('b-')))
      await soon(async () => expect(await onHost(tenant, namespace, 'caught')).toMatch(/-y$/))
      await proxy.set({ kind: 'fine' })
      await soon(async () => expect(await onHost(tenant, namespace, 'caught')).toBe('b-y'))
      await tenant.remove()
      await proxy.remove()
    })

    it('a tenant.yaml that is changed into nonsense changes nothing, and what comes after it counts', async () => {
      const tenant = await stage().newTenant({
        config: endpointsPatches({ path: notePath, expression: '"a-" + value' }),
      })
      const namespace = await stage().newNamespace()
      await create(namespace, 'steady', { [note]: 'x' })
      await soon(async () => expect(await onHost(tenant, namespace, 'steady')).toBe('a-x'))
      tenant.syncer.configure('sync: [not, a, mapping')
      await aWhile()
      await create(namespace, 'later', { [note]: 'y' })
      await soon(async () => expect(await onHost(tenant, namespace, 'later')).toBe('a-y'))
      tenant.syncer.configure(JSON.stringify(endpointsPatches()))
      await soon(async () => expect(await onHost(tenant, namespace, 'later')).toBe('y'))
      expect(tenant.syncer.unexpectedEnd).toBeUndefined()
      await tenant.remove()
    })

    it('that fail are reported to the tenant, leave the host as it was, and stop no other object', async () => {
      const failing = { path: notePath, expression: 'value === "bad" ? value.no.such.thing : value' }
      const tenant = await stage().newTenant({ config: endpointsPatches(failing) })
      const namespace = await stage().newNamespace()
      await create(namespace, 'broken', { [note]: 'good' })
      await soon(async () => expect(await onHost(tenant, namespace, 'broken')).toBe('good'))
      await stage().virtual.patch(endpoints, namespace, 'broken', {
        metadata: { annotations: { [note]: 'bad' } },
        subsets: oneAddress('10.0.0.2'),
      })
      await soon(async () =>
        expect((await stage().warnings(namespace, 'broken')).join()).toMatch(/no\.such|such|undefined/),
      )
      await create(namespace, 'other', { [note]: 'fine' })
      await soon(async () => expect(await onHost(tenant, namespace, 'other')).toBe('fine'))
      expect((await tenant.copy(endpoints, namespace, 'broken')).subsets).toEqual(subsets)
      await stage().virtual.patch(endpoints, namespace, 'broken', {
        metadata: { annotations: { [note]: 'good again' } },
      })
      await soon(async () => {
        const copy = await tenant.copy(endpoints, namespace, 'broken')
        expect([copy.metadata.annotations?.[note], copy.subsets]).toEqual(['good again', oneAddress('10.0.0.2')])
      }, 60_000)
      await tenant.remove()
    })

    it('that do not cancel out cannot loop: writes stop, and the object says why', async () => {
      const drifting = { path: notePath, expression: 'value + "x"', reverseExpression: 'value + "y"' }
      const tenant = await stage().newTenant({ config: endpointsPatches(drifting) })
      const namespace = await stage().newNamespace()
      await create(namespace, 'drifting', { [note]: 'n' })
      await soon(async () => expect(await onHost(tenant, namespace, 'drifting')).toBe('nx'))
      await tenant.patchCopy(endpoints, namespace, 'drifting', { metadata: { annotations: { [note]: 'edited' } } })
      await soon(async () => {
        const warnings = await stage().warnings(namespace, 'drifting')
        expect(warnings.filter((text) => text.startsWith('PatchesDoNotCancelOut')).length).toBeGreaterThan(0)
      })
      const both = async () =>
        versions([
          await stage().virtual.get(endpoints, namespace, 'drifting'),
          await tenant.copy(endpoints, namespace, 'drifting'),
        ])
      const before = await settled(both)
      await stays(async () => expect(await both()).toEqual(before), 2_000)
      expect(await onVirtual(namespace, 'drifting')).toBe('n')
      await tenant.remove()
    })

    it('of labels carry them as they are, both ways, and refuse what is no map of labels', async () => {
      const config = endpointsPatches({ path: 'metadata.labels', labels: {} }, { path: notePath, labels: {} })
      const tenant = await stage().newTenant({ config })
      const namespace = await stage().newNamespace()
      const labels = { app: 'web', 'example.com/tier': 'front' }
      await stage().virtual.create(endpoints, { metadata: { namespace, name: 'labeled', labels }, subsets })
      await soon(async () =>
        expect((await tenant.copy(endpoints, namespace, 'labeled')).metadata.labels).toMatchObject(labels),
      )
      await tenant.patchCopy(endpoints, namespace, 'labeled', { metadata: { labels: { app: 'api', added: 'yes' } } })
      await soon(async () => {
        const { metadata } = await stage().virtual.get(endpoints, namespace, 'labeled')
        expect(metadata.labels).toEqual({ ...labels, app: 'api', added: 'yes' })
      })
      await create(namespace, 'text', { [note]: 'no map' })
      await soon(async () => expect((await stage().warnings(namespace, 'text')).join()).toMatch(/^PatchFailed/))
      expect(await tenant.findCopy(endpoints, namespace, 'text')).toBeUndefined()
      await tenant.remove()
    })

    it('without a way back keep what the host shows to the host', async () => {
      const oneWay = { path: 'metadata.labels.tier', expression: '"host-" + value' }
      const tenant = await stage().newTenant({ config: endpointsPatches(oneWay) })
      const namespace = await stage().newNamespace()
      await stage().virtual.create(endpoints, {
        metadata: { namespace, name: 'one-way', labels: { tier: 'a' } },
        subsets,
      })
      await soon(async () =>
        expect((await tenant.copy(endpoints, namespace, 'one-way')).metadata.labels?.tier).toBe('host-a'),
      )
      await stays(async () =>
        expect((await stage().virtual.get(endpoints, namespace, 'one-way')).metadata.labels?.tier).toBe('a'),
      )
      await tenant.remove()
    })
  })
}

function versions(things: readonly Thing[]): readonly (string | undefined)[] {
  return things.map(({ metadata }) => metadata.resourceVersion)
}
