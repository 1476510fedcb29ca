import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FaultyTcp, startFaultyTcp } from '../../support/network/faulty-tcp.ts'
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
  let tenant: Tenant

  const create = (namespace: string, name: string, annotations: Record<string, string>) =>
    stage().virtual.create(endpoints, { metadata: { namespace, name, annotations }, subsets })
  const onHost = async (namespace: string, name: string, key = note) =>
    (await tenant.copy(endpoints, namespace, name)).metadata.annotations?.[key]
  const onVirtual = async (namespace: string, name: string, key = note) =>
    (await stage().virtual.get(endpoints, namespace, name)).metadata.annotations?.[key]

  describe('patches', () => {
    const paired = 'example.com/paired'
    const failing = 'example.com/failing'
    const drifting = 'example.com/drifting'
    const map = 'example.com/map'
    const pathOf = (key: string) => `metadata.annotations["${key}"]`
    /** Each test has its own path. */
    const config = endpointsPatches(
      { path: pathOf(paired), expression: '"host-" + value', reverseExpression: 'value.slice(5)' },
      { path: pathOf(failing), expression: 'value === "bad" ? value.no.such.thing : value' },
      { path: pathOf(drifting), expression: 'value + "x"', reverseExpression: 'value + "y"' },
      { path: 'metadata.labels', labels: {} },
      { path: pathOf(map), labels: {} },
    )

    beforeAll(async () => {
      tenant = await stage().newTenant({ config })
    })
    afterAll(() => tenant.remove())

    it('change a field toward the host and undo it on the way back', async () => {
      const namespace = await stage().newNamespace()
      await create(namespace, 'paired', { [paired]: 'one' })
      await soon(async () => expect(await onHost(namespace, 'paired', paired)).toBe('host-one'))
      await tenant.patchCopy(endpoints, namespace, 'paired', { metadata: { annotations: { [paired]: 'host-two' } } })
      await soon(async () => expect(await onVirtual(namespace, 'paired', paired)).toBe('two'))
      await stays(async () => expect(await onHost(namespace, 'paired', paired)).toBe('host-two'))
    })

    it('that fail are reported to the tenant, leave the host unchanged, and block no other object', async () => {
      const namespace = await stage().newNamespace()
      await create(namespace, 'broken', { [failing]: 'good' })
      await soon(async () => expect(await onHost(namespace, 'broken', failing)).toBe('good'))
      await stage().virtual.patch(endpoints, namespace, 'broken', {
        metadata: { annotations: { [failing]: 'bad' } },
        subsets: oneAddress('10.0.0.2'),
      })
      await soon(async () =>
        expect((await stage().warnings(namespace, 'broken')).join()).toMatch(/no\.such|such|undefined/),
      )
      await create(namespace, 'other', { [failing]: 'fine' })
      await soon(async () => expect(await onHost(namespace, 'other', failing)).toBe('fine'))
      expect((await tenant.copy(endpoints, namespace, 'broken')).subsets).toEqual(subsets)
      await stage().virtual.patch(endpoints, namespace, 'broken', {
        metadata: { annotations: { [failing]: 'good again' } },
      })
      await soon(async () => {
        const copy = await tenant.copy(endpoints, namespace, 'broken')
        expect([copy.metadata.annotations?.[failing], copy.subsets]).toEqual(['good again', oneAddress('10.0.0.2')])
      }, 240_000)
    })

    it('that do not cancel out cannot loop: writes stop, and the object reports why', async () => {
      const namespace = await stage().newNamespace()
      await create(namespace, 'drifting', { [drifting]: 'n' })
      await soon(async () => expect(await onHost(namespace, 'drifting', drifting)).toBe('nx'))
      await tenant.patchCopy(endpoints, namespace, 'drifting', { metadata: { annotations: { [drifting]: 'edited' } } })
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
      expect(await onVirtual(namespace, 'drifting', drifting)).toBe('n')
    })

    it('of labels sync them unchanged, both ways, and refuse a value that is not a map of labels', async () => {
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
      await create(namespace, 'text', { [map]: 'no map' })
      await soon(async () => expect((await stage().warnings(namespace, 'text')).join()).toMatch(/^PatchFailed/))
      expect(await tenant.findCopy(endpoints, namespace, 'text')).toBeUndefined()
    })
  })

  describe('patches and their changes', () => {
    const oneWay = { path: 'metadata.labels.tier', expression: '"host-" + value' }
    const prefix = (text: string) => ({ path: notePath, expression: `"${text}" + value` })
    let proxy: FaultyTcp

    beforeAll(async () => {
      const { server } = stage().clusters.host
      proxy = await startFaultyTcp(server.port)
      const hostAccess = { url: `https://127.0.0.1:${proxy.port}`, token: server.token, authority: server.authority }
      tenant = await stage().newTenant({ config: endpointsPatches(oneWay, prefix('a-')), hostAccess })
    })
    afterAll(async () => {
      await tenant.remove()
      await proxy.remove()
    })

    const configure = (...list: readonly TestPatch[]) =>
      tenant.syncer.configure(JSON.stringify(endpointsPatches(...list)))

    it('without a reverse direction keep changes of the host on the host', async () => {
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
    })

    it('of a changed tenant.yaml also apply to writes in progress at that moment', async () => {
      const namespace = await stage().newNamespace()
      await create(namespace, 'caught', { [note]: 'x' })
      await soon(async () => expect(await onHost(namespace, 'caught')).toBe('a-x'))
      await proxy.set({ kind: 'slow', delayMs: 800 })
      await stage().virtual.patch(endpoints, namespace, 'caught', { metadata: { annotations: { [note]: 'y' } } })
      configure(prefix('b-'))
      await soon(async () => expect(await onHost(namespace, 'caught')).toMatch(/-y$/))
      await proxy.set({ kind: 'fine' })
      await soon(async () => expect(await onHost(namespace, 'caught')).toBe('b-y'))
    })

    it('of a changed tenant.yaml apply to existing objects, without a restart', async () => {
      const both = (text: string) => ({ ...prefix(text), reverseExpression: `value.slice(${text.length})` })
      configure(both('a-'))
      const namespace = await stage().newNamespace()
      await create(namespace, 'live', { [note]: 'x' })
      await soon(async () => expect(await onHost(namespace, 'live')).toBe('a-x'))
      const { pid } = tenant.syncer
      for (const [list, expected] of [
        [[both('bb-')], 'bb-x'],
        [[], 'x'],
        [[both('c-')], 'c-x'],
      ] as const) {
        configure(...list)
        await soon(async () => expect(await onHost(namespace, 'live')).toBe(expected))
        expect(await onVirtual(namespace, 'live')).toBe('x')
      }
      expect(tenant.syncer.pid).toBe(pid)
    })

    it('are unchanged if tenant.yaml becomes invalid, and follow its next valid state', async () => {
      configure(prefix('d-'))
      const namespace = await stage().newNamespace()
      await create(namespace, 'steady', { [note]: 'x' })
      await soon(async () => expect(await onHost(namespace, 'steady')).toBe('d-x'))
      tenant.syncer.configure('sync: [not, a, mapping')
      await aWhile()
      await create(namespace, 'later', { [note]: 'y' })
      await soon(async () => expect(await onHost(namespace, 'later')).toBe('d-y'))
      configure()
      await soon(async () => expect(await onHost(namespace, 'later')).toBe('y'))
      expect(tenant.syncer.unexpectedEnd).toBeUndefined()
    })
  })
}

function versions(things: readonly Thing[]): readonly (string | undefined)[] {
  return things.map(({ metadata }) => metadata.resourceVersion)
}
