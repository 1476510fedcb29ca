import { describe, expect, it } from 'vitest'
import {
  broughtInStep,
  carriedOut,
  changed,
  copyOf,
  endpoints,
  patchedRules,
  planned,
  rules,
  subsets,
} from '../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Plan } from '../contract.ts'
import type { KindRules } from './rules.ts'

describe('an object that is only in the virtual cluster', () => {
  it('gets a copy under its translated name, marked as its own', async () => {
    const copy = await copyOf(endpoints({ labels: { app: 'web' }, annotations: { note: 'x' } }))
    expect(copy.metadata.name).toMatch(/^v-web-[0-9a-z]{13}$/)
    expect(copy.metadata.namespace).toBe('tenants')
    expect(copy.metadata.labels).toEqual({
      app: 'web',
      'tenant.internal/managed-by': 'demo',
      'tenant.internal/tenant-namespace': 'tenants',
    })
    expect(copy.metadata.annotations).toMatchObject({
      note: 'x',
      'tenant.internal/object-name': 'web',
      'tenant.internal/object-namespace': 'default',
      'tenant.internal/object-uid': 'u1',
      'tenant.internal/object-kind': 'Endpoints',
      'tenant.internal/host-name': copy.metadata.name,
      'tenant.internal/tenant-namespace': 'tenants',
    })
    expect(copy.subsets).toEqual(subsets)
  })

  it.each([
    ['control-plane.alpha.kubernetes.io/leader'],
    ['kubectl.kubernetes.io/last-applied-configuration'],
    ['tenant.internal/imported-from'],
  ])('does not sync %s', async (key) => {
    const copy = await copyOf(endpoints({ annotations: { [key]: 'mine', note: 'x' } }))
    expect(copy.metadata.annotations).not.toHaveProperty([key])
    expect(copy.metadata.annotations).toHaveProperty('note')
  })

  it('syncs Pods under their names on the host, without what only one server knows', async () => {
    const targetRef = { kind: 'Pod', namespace: 'default', name: 'web-1', uid: 'p', resourceVersion: '3' }
    const copy = await copyOf(endpoints({}, { subsets: [{ addresses: [{ ip: '10.0.0.1', targetRef }] }] }))
    const [subset] = copy.subsets as [{ addresses: [{ targetRef: object }] }]
    expect(subset.addresses[0].targetRef).toEqual({
      kind: 'Pod',
      namespace: 'tenants',
      name: expect.stringMatching(/^v-web-1-/),
    })
  })

  it('is not synced while it is being deleted, when it is not wanted, or when it is the API itself', async () => {
    const ending = endpoints({ deletionTimestamp: '2030-01-01T00:00:00Z' })
    expect(await planned({ virtual: ending, copy: undefined })).toEqual({ action: 'leave out' })
    expect(await planned({ virtual: endpoints(), copy: undefined }, rules, false)).toEqual({ action: 'leave out' })
    expect(await planned({ virtual: endpoints({ name: 'kubernetes' }), copy: undefined })).toEqual({
      action: 'leave out',
    })
  })

  it('is not synced if it was imported from the host, but is if only its marks were copied from an import', async () => {
    const marks = {
      labels: { 'tenant.internal/imported': 'mapping' },
      annotations: { 'tenant.internal/imported-as': 'default/web' },
    }
    expect(await planned({ virtual: endpoints(marks), copy: undefined })).toEqual({ action: 'leave out' })
    const another = endpoints({ ...marks, name: 'another' })
    expect(await planned({ virtual: another, copy: undefined })).toMatchObject({ action: 'create' })
  })

  it('is synced completely even if its keys are names of inherited members', async () => {
    const labels = JSON.parse('{"__proto__": "a", "constructor": "b"}')
    const copy = await copyOf(endpoints({ labels }))
    expect(Object.entries(copy.metadata.labels ?? {})).toContainEqual(['__proto__', 'a'])
    expect(Object.entries(copy.metadata.labels ?? {})).toContainEqual(['constructor', 'b'])
    expect(await planned({ virtual: endpoints({ labels }), copy })).toEqual({ action: 'nothing' })
  })
})

describe('an object that is only on the host', () => {
  it('is deleted', async () => {
    const copy = await copyOf(endpoints())
    expect(await planned({ virtual: undefined, copy })).toMatchObject({ action: 'delete', copy })
  })

  it('is waited for when it is ending', async () => {
    const copy = changed(await copyOf(endpoints()), { deletionTimestamp: 'now', finalizers: ['a/b'] })
    const plan = await planned({ virtual: undefined, copy })
    expect(plan).toMatchObject({ action: 'wait', trouble: { message: expect.stringContaining('a/b') } })
  })
})

describe('an object on both sides', () => {
  it('in step needs nothing', async () => {
    const virtual = endpoints({ labels: { app: 'web' }, annotations: { note: 'x' } })
    expect(await planned({ virtual, copy: await copyOf(virtual) })).toEqual({ action: 'nothing' })
  })

  it('in step needs nothing when the host has filled in its defaults', async () => {
    const virtual = endpoints({}, { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] })
    const copy = changed(await copyOf(virtual), {}, { subsets })
    expect(await planned({ virtual, copy })).toEqual({ action: 'nothing' })
  })

  it('is replaced when the virtual one was recreated', async () => {
    const copy = await copyOf(endpoints())
    expect(await planned({ virtual: endpoints({ uid: 'u2' }), copy })).toMatchObject({ action: 'delete' })
  })

  it('syncs changed and removed fields', async () => {
    const copy = await copyOf(endpoints())
    const other = [{ addresses: [{ ip: '10.0.0.2' }] }]
    expect(await planned({ virtual: endpoints({}, { subsets: other }), copy })).toMatchObject({
      action: 'update',
      host: { subsets: other, metadata: { resourceVersion: '9', uid: 'h1' } },
    })
    const emptied = await planned({ virtual: endpoints({}, {}), copy })
    expect(emptied).toMatchObject({ action: 'update' })
    expect(JSON.parse(JSON.stringify(emptied)).host).not.toHaveProperty('subsets')
  })

  it('reverts changes on the host to fields that sync one way', async () => {
    const virtual = endpoints()
    const edited = changed(await copyOf(virtual), {}, { subsets: [{ addresses: [{ ip: '6.6.6.6' }] }] })
    expect(await planned({ virtual, copy: edited })).toMatchObject({ action: 'update', host: { subsets } })
  })

  it('keeps what belongs to the host: finalizers, owners, local annotations', async () => {
    const virtual = endpoints({ labels: { a: '1' } })
    const copy = await copyOf(virtual)
    const kept = { finalizers: ['x/y'], ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'b', uid: 'c' }] }
    const local = { 'control-plane.alpha.kubernetes.io/leader': 'host' }
    const owned = changed(copy, { ...kept, annotations: { ...copy.metadata.annotations, ...local } })
    expect(await planned({ virtual, copy: owned })).toEqual({ action: 'nothing' })
    const plan = await planned({ virtual: endpoints({ labels: { a: '2' } }), copy: owned })
    expect(plan).toMatchObject({ action: 'update', host: { metadata: { ...kept, annotations: local } } })
  })
})

describe('labels and annotations', () => {
  const before = { keep: 'k', edit: 'e', both: 'b', gone: 'g' }

  it.each<[string, object, object, object]>([
    ['the virtual side set one', { ...before, fresh: 'v' }, before, { ...before, fresh: 'v' }],
    ['the virtual side changed one', { ...before, edit: 'v' }, before, { ...before, edit: 'v' }],
    ['the virtual side removed one', { keep: 'k', edit: 'e', both: 'b' }, before, { keep: 'k', edit: 'e', both: 'b' }],
    ['the host set one', before, { ...before, fresh: 'h' }, { ...before, fresh: 'h' }],
    ['the host changed one', before, { ...before, edit: 'h' }, { ...before, edit: 'h' }],
    ['the host removed one', before, { keep: 'k', edit: 'e', both: 'b' }, { keep: 'k', edit: 'e', both: 'b' }],
    ['both changed the same one', { ...before, both: 'v' }, { ...before, both: 'h' }, { ...before, both: 'v' }],
    [
      'both changed different ones',
      { ...before, edit: 'v' },
      { ...before, both: 'h' },
      { ...before, edit: 'v', both: 'h' },
    ],
    ['the virtual side removed what the host changed', { keep: 'k' }, { ...before, edit: 'h' }, { keep: 'k' }],
    ['both agree', { ...before, edit: 'same' }, { ...before, edit: 'same' }, { ...before, edit: 'same' }],
  ])('%s', async (_story, virtualMap, hostMap, result) => {
    for (const name of ['labels', 'annotations'] as const) {
      const first = endpoints({ [name]: before })
      const copy = await copyOf(first)
      const markers = Object.fromEntries(
        Object.entries(copy.metadata[name] ?? {}).filter(([key]) => key.startsWith('tenant.internal/')),
      )
      const pair = {
        virtual: endpoints({ [name]: virtualMap }),
        copy: changed(copy, { [name]: { ...markers, ...hostMap } }),
      }
      const after = await broughtInStep(pair)
      expect(after.virtual.metadata[name]).toEqual(result)
      expect(after.copy.metadata[name]).toMatchObject(result)
      expect(Object.keys(after.copy.metadata[name] ?? {}).filter((key) => !key.startsWith('tenant.'))).toEqual(
        Object.keys(result),
      )
      expect(await planned(after)).toEqual({ action: 'nothing' })
    }
  })

  it('that were lost with the last-sync note come from the virtual side', async () => {
    const virtual = endpoints({ labels: { a: 'virtual' } })
    const copy = await copyOf(virtual)
    const { 'tenant.internal/last-sync': _, ...annotations } = copy.metadata.annotations ?? {}
    const pair = {
      virtual,
      copy: changed(copy, { annotations, labels: { ...copy.metadata.labels, a: 'host', b: 'host' } }),
    }
    const after = await broughtInStep(pair)
    expect(after.virtual.metadata.labels).toEqual({ a: 'virtual', b: 'host' })
    expect(await planned(after)).toEqual({ action: 'nothing' })
  })

  describe('of the host that flow back, when the syncer dies after some of its writes', () => {
    const labeled = (object: KubeObject, value: string | undefined) => {
      const { l: _, ...labels } = object.metadata.labels ?? {}
      return changed(object, { labels: value === undefined ? labels : { ...labels, l: value } })
    }
    const second = ['v3', 'v1', undefined]
    const virtualOnly = (plan: Plan): Plan => {
      if (plan.action !== 'update') return plan
      const { host: _, ...rest } = plan
      return rest
    }

    it.each(second)('and the host changes it to %s meanwhile: that wins', async (later) => {
      for (const first of ['v2', undefined]) {
        const virtual = endpoints({ labels: { l: 'v1' } })
        let pair = { virtual, copy: labeled(await copyOf(virtual), first) }
        const states = [pair]
        pair = carriedOut(pair, await planned(pair))
        states.push(pair, carriedOut(pair, virtualOnly(await planned(pair))))
        for (const state of states) {
          const after = await broughtInStep({ ...state, copy: labeled(state.copy, later) })
          expect(after.virtual.metadata.labels?.l).toBe(later)
          expect(after.copy.metadata.labels?.l).toBe(later)
        }
      }
    })

    it('and the tenant changes it meanwhile: that wins', async () => {
      const virtual = endpoints({ labels: { l: 'v1' } })
      const pair = { virtual, copy: labeled(await copyOf(virtual), 'v2') }
      const prepared = carriedOut(pair, await planned(pair))
      const taken = carriedOut(prepared, virtualOnly(await planned(prepared)))
      for (const state of [pair, prepared, taken]) {
        const after = await broughtInStep({ ...state, virtual: labeled(state.virtual, 'mine') })
        expect([after.virtual.metadata.labels?.l, after.copy.metadata.labels?.l]).toEqual(['mine', 'mine'])
      }
    })
  })

  it('written only on the virtual side before a crash only update the note afterward', async () => {
    const copy = await copyOf(endpoints({ labels: { a: '1' } }))
    const edited = changed(copy, { labels: { ...copy.metadata.labels, a: '2' } })
    const plan = await planned({ virtual: endpoints({ labels: { a: '2' } }), copy: edited })
    expect(plan).toMatchObject({ action: 'update', host: { metadata: { labels: { a: '2' } } } })
    expect(plan).not.toHaveProperty('virtual')
  })
})

describe('patches', () => {
  const pairs = patchedRules(
    (text) => `${text}-host`,
    (text) => text.replace(/-host$/, ''),
  )

  it('that cancel out let a change of the host flow back', async () => {
    const virtual = endpoints({ annotations: { a: '1' } })
    const copy = await copyOf(virtual, pairs)
    expect(copy.metadata.annotations?.a).toBe('1-host')
    const edited = changed(copy, { annotations: { ...copy.metadata.annotations, a: '2-host' } })
    const after = await broughtInStep({ virtual, copy: edited }, pairs)
    expect(after.virtual.metadata.annotations).toEqual({ a: '2' })
    expect(await planned(after, pairs)).toEqual({ action: 'nothing' })
  })

  it('that do not cancel out stop with a reason, and do not affect the rest', async () => {
    const oneWay = patchedRules(
      (text) => `${text}-host`,
      (text) => text,
    )
    const virtual = endpoints({ annotations: { a: '1' } })
    const copy = await copyOf(virtual, oneWay)
    const edited = changed(copy, { annotations: { ...copy.metadata.annotations, a: 'other' } })
    const plan = await planned({ virtual, copy: edited }, oneWay)
    expect(plan).toMatchObject({ action: 'nothing', trouble: { reason: 'PatchesDoNotCancelOut' } })
    expect(plan.action === 'nothing' && plan.trouble?.message).toContain('metadata.annotations["a"]')

    const relabeled = changed(virtual, { labels: { x: 'y' } })
    const second = await planned({ virtual: relabeled, copy: edited }, oneWay)
    expect(second).toMatchObject({
      action: 'update',
      host: { metadata: { labels: { x: 'y' }, annotations: { a: 'other' } } },
    })
    expect(second).not.toHaveProperty('virtual')
    const after = carriedOut({ virtual: relabeled, copy: edited }, second)
    expect(await planned(after, oneWay)).toMatchObject({
      action: 'nothing',
      trouble: { reason: 'PatchesDoNotCancelOut' },
    })
  })

  it('that fail leave the host unchanged', async () => {
    const failure = { index: 0, path: 'subsets', concretePath: 'subsets', message: 'no' }
    const failing: KindRules = { ...rules, patch: async () => ({ state: 'failed', failure, counters: [] }) }
    const plan = await planned({ virtual: endpoints(), copy: await copyOf(endpoints()) }, failing)
    expect(plan).toMatchObject({ action: 'fail', trouble: { reason: 'PatchFailed' } })
  })
})
