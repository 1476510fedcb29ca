import { describe, expect, it } from 'vitest'
import {
  broughtInStep,
  changed,
  copyOf,
  endpoints,
  planned,
  rules,
  rulesFor,
  subsets,
} from '../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import { endpointsSync } from '../kinds/endpoints.ts'
import { secretsSync } from '../kinds/secrets.ts'
import { servicesSync } from '../kinds/services.ts'
import { planObject } from './plan.ts'

const dns = 'k8s-app'
/** The policy allows everything, as before it existed. */
const lax = rulesFor(endpointsSync, 'Endpoints', {
  policies: { sync: { labels: { allowed: [dns] }, endpointAddresses: { allowed: ['169.254.0.0/16'] } } },
})

async function refusedFields(virtual: KubeObject, copy?: KubeObject): Promise<readonly string[]> {
  const pair = copy === undefined ? { virtual, copy } : { virtual, copy }
  const { refusals = [] } = await planObject(pair, rules, { isWanted: true })
  return refusals.map(({ field }) => field)
}

async function settled(virtual: KubeObject, copy: KubeObject, by = rules) {
  const after = await broughtInStep({ virtual, copy }, by)
  return { ...after, hostLabel: after.copy.metadata.labels?.[dns], virtualLabel: after.virtual.metadata.labels?.[dns] }
}

describe('a label that tenants may not set', () => {
  const tenants = endpoints({ labels: { app: 'web', [dns]: 'kube-dns' } })

  it('is not on a new copy, stays on the virtual object, and is reported', async () => {
    const copy = await copyOf(tenants)
    expect(copy.metadata.labels).not.toHaveProperty([dns])
    expect(await planned({ virtual: tenants, copy })).toEqual({ action: 'nothing' })
    expect(await refusedFields(tenants, copy)).toEqual(['metadata.labels["k8s-app"]'])
  })

  it('is removed from an existing copy, and stays on the virtual object', async () => {
    const copy = await copyOf(tenants, lax)
    expect(copy.metadata.labels).toHaveProperty([dns])
    expect(await settled(tenants, copy)).toMatchObject({ hostLabel: undefined, virtualLabel: 'kube-dns' })
  })

  it('returns when the operator allows it again', async () => {
    const copy = await copyOf(tenants)
    expect(await settled(tenants, copy, lax)).toMatchObject({ hostLabel: 'kube-dns', virtualLabel: 'kube-dns' })
  })
})

describe('a label that tenants may not set and the host has set', () => {
  const virtual = endpoints({ labels: { app: 'web' } })
  const byHost = async (value: string, over?: KubeObject) => {
    const copy = over ?? (await copyOf(virtual))
    return changed(copy, { labels: { ...copy.metadata.labels, [dns]: value } })
  }

  it('flows back, stays where it is, and is not a refusal', async () => {
    const after = await settled(virtual, await byHost('dns'))
    expect(after).toMatchObject({ hostLabel: 'dns', virtualLabel: 'dns' })
    expect(await planned(after)).toEqual({ action: 'nothing' })
    expect(await refusedFields(after.virtual, after.copy)).toEqual([])
  })

  it('cannot be changed by the tenant: both sides keep their values, and nothing flaps', async () => {
    const before = await settled(virtual, await byHost('dns'))
    const after = await settled(changed(before.virtual, { labels: { app: 'web', [dns]: 'mine' } }), before.copy)
    expect(after).toMatchObject({ hostLabel: 'dns', virtualLabel: 'mine' })
    expect(await planned(after)).toEqual({ action: 'nothing' })
    expect(await refusedFields(after.virtual, after.copy)).toEqual(['metadata.labels["k8s-app"]'])
  })

  it('cannot be removed by the tenant', async () => {
    const before = await settled(virtual, await byHost('dns'))
    const after = await settled(changed(before.virtual, { labels: { app: 'web' } }), before.copy)
    expect(after).toMatchObject({ hostLabel: 'dns', virtualLabel: undefined })
  })

  it('flows back again when the host changes it, over what the tenant wrote meanwhile', async () => {
    const before = await settled(virtual, await byHost('dns'))
    const written = changed(before.virtual, { labels: { app: 'web', [dns]: 'mine' } })
    const after = await settled(written, await byHost('other', before.copy))
    expect(after).toMatchObject({ hostLabel: 'other', virtualLabel: 'other' })
  })

  it('is removed from the virtual object when the host removes it, unless the tenant has changed it', async () => {
    const before = await settled(virtual, await byHost('dns'))
    const { [dns]: _, ...labels } = before.copy.metadata.labels ?? {}
    const gone = changed(before.copy, { labels })
    expect(await settled(before.virtual, gone)).toMatchObject({ hostLabel: undefined, virtualLabel: undefined })
    const written = changed(before.virtual, { labels: { app: 'web', [dns]: 'mine' } })
    expect(await settled(written, gone)).toMatchObject({ hostLabel: undefined, virtualLabel: 'mine' })
  })

  it('stays with the host when the operator allows it and forbids it again', async () => {
    const allowed = await settled(virtual, await byHost('dns'), lax)
    expect(allowed).toMatchObject({ hostLabel: 'dns', virtualLabel: 'dns' })
    expect(await settled(allowed.virtual, allowed.copy)).toMatchObject({ hostLabel: 'dns', virtualLabel: 'dns' })
  })

  it('belongs to the tenant once it was allowed to change it, and is removed when that is forbidden', async () => {
    const allowed = await settled(virtual, await byHost('dns'), lax)
    const mine = await settled(changed(allowed.virtual, { labels: { app: 'web', [dns]: 'mine' } }), allowed.copy, lax)
    expect(mine).toMatchObject({ hostLabel: 'mine' })
    expect(await settled(mine.virtual, mine.copy)).toMatchObject({ hostLabel: undefined, virtualLabel: 'mine' })
  })

  it('flows back together with others, and allowed keys are still synced both ways', async () => {
    const copy = await byHost('dns')
    const both = changed(copy, { labels: { ...copy.metadata.labels, app: 'host' } })
    const after = await settled(virtual, both)
    expect(after.virtual.metadata.labels).toEqual({ app: 'host', [dns]: 'dns' })
    const next = await settled(changed(after.virtual, { labels: { app: 'again', [dns]: 'dns' } }), after.copy)
    expect(next.copy.metadata.labels).toMatchObject({ app: 'again', [dns]: 'dns' })
  })

  it('flows back as changed by reverse patches, which is not a refusal either', async () => {
    const hiding = {
      ...rules,
      patch: async (object: KubeObject, direction: 'toHost' | 'toVirtual') => {
        const { [dns]: value, ...labels } = object.metadata.labels ?? {}
        const seen = direction === 'toVirtual' && value !== undefined ? { ...labels, [dns]: `of-${value}` } : labels
        const patchedObject = { ...object, metadata: { ...object.metadata, labels: seen } }
        return { state: 'applied' as const, object: patchedObject, references: [], counters: [] }
      },
    }
    const after = await settled(virtual, await byHost('dns'), hiding)
    expect(after).toMatchObject({ hostLabel: 'dns', virtualLabel: 'of-dns' })
    expect(await refusedFields(after.virtual, after.copy)).toEqual([])
    const { [dns]: _, ...labels } = after.copy.metadata.labels ?? {}
    expect(await settled(after.virtual, changed(after.copy, { labels }), hiding)).toMatchObject({
      virtualLabel: undefined,
    })
  })
})

describe('a value set by a patch of the operator', () => {
  it('is on the copy, whatever the policy says', async () => {
    const setting = {
      ...rules,
      patch: async (object: KubeObject) => ({
        state: 'applied' as const,
        object: {
          ...object,
          metadata: { ...object.metadata, labels: { ...object.metadata.labels, [dns]: 'operators' } },
        },
        references: [],
        counters: [],
      }),
    }
    const copy = await copyOf(endpoints({ labels: { [dns]: 'tenants' } }), setting)
    expect(copy.metadata.labels).toMatchObject({ [dns]: 'operators' })
    expect(await planned({ virtual: endpoints({ labels: { [dns]: 'tenants' } }), copy }, setting)).toEqual({
      action: 'nothing',
    })
  })
})

describe('fields', () => {
  const metadata = [...subsets, { addresses: [{ ip: '169.254.169.254' }], ports: [{ port: 80, protocol: 'TCP' }] }]

  it('on an existing copy are removed at the next check', async () => {
    const virtual = endpoints({}, { subsets: metadata })
    const copy = await copyOf(virtual, lax)
    expect(copy.subsets).toHaveLength(2)
    expect((await broughtInStep({ virtual, copy })).copy.subsets).toEqual(subsets)
  })

  it('are visible to patches only as far as the policy allows', async () => {
    const seen: unknown[] = []
    const watching = {
      ...rules,
      patch: async (object: KubeObject) => {
        seen.push(object.subsets)
        return { state: 'applied' as const, object, references: [], counters: [] }
      },
    }
    await copyOf(endpoints({}, { subsets: metadata }), watching)
    expect(seen).toEqual([subsets])
  })
})

describe('an object that is held back', () => {
  const byService = rulesFor(servicesSync, 'Service')
  const lead = (externalName: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default', uid: 's1', resourceVersion: '1' },
    spec: { type: 'ExternalName', externalName },
  })

  it('gets no copy, and its owner is notified', async () => {
    const { plan, references, refusals } = await planObject(
      { virtual: lead('localhost'), copy: undefined },
      byService,
      {
        isWanted: true,
      },
    )
    expect(plan).toMatchObject({ action: 'hold back', trouble: { reason: 'HeldBackByPolicy' } })
    expect(references).toEqual([])
    expect(refusals).toHaveLength(1)
  })

  it('loses an existing copy', async () => {
    const before = rulesFor(servicesSync, 'Service', {
      policies: { sync: { externalNames: { allowed: ['localhost'] } } },
    })
    const copy = await copyOf(lead('localhost'), before)
    expect(await planned({ virtual: lead('localhost'), copy }, byService)).toMatchObject({ action: 'delete', copy })
  })
})

describe('the copy of a Secret', () => {
  it('whose type is no longer synced is recreated, because a type cannot be changed', async () => {
    const bySecret = rulesFor(secretsSync, 'Secret')
    const virtual: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'token', namespace: 'default', uid: 's1', resourceVersion: '1' },
      type: 'bootstrap.kubernetes.io/token',
      data: {},
    }
    const copy = { ...(await copyOf(virtual, bySecret)), type: 'bootstrap.kubernetes.io/token' }
    expect(copy.type).not.toBe('Opaque')
    expect(await planned({ virtual, copy }, bySecret)).toMatchObject({ action: 'delete' })
    expect(await copyOf(virtual, bySecret)).toMatchObject({ type: 'Opaque' })
  })
})
