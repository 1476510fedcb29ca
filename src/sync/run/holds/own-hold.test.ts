import { describe, expect, it } from 'vitest'
import { rulesFor } from '../../../../tests/support/examples/worlds.ts'
import { notFound } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { SyncKind } from '../../contract.ts'
import { endpointSlicesSync } from '../../kinds/endpoint-slices.ts'
import { endpointsSync } from '../../kinds/endpoints.ts'
import { ingressesSync } from '../../kinds/ingresses.ts'
import { persistentVolumeClaimsSync } from '../../kinds/persistent-volume-claims.ts'
import { podsSync } from '../../kinds/pods/pods.ts'
import { NotYet, SyncTrouble } from '../failures/failure.ts'
import { type HoldParts, heldBy, lacksOwnHold, requireOwnHold } from './own-hold.ts'

const mappedBy = (byName: Record<string, string>) => ({
  sync: { toHost: { namespaces: { enabled: true, mappings: { byName } } } },
})
/** The operator may also give it to others. */
const mapped = mappedBy({ shop: 'shared' })

const slice: KubeObject = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'any', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'theirs' } },
}
const endpoints: KubeObject = {
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'theirs', namespace: 'shop' },
}
const claim: KubeObject = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'clone', namespace: 'shop' },
  spec: { dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'theirs' } },
}
const ingress: KubeObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'any', namespace: 'shop' },
  spec: { defaultBackend: { service: { name: 'theirs' } }, tls: [{ secretName: 'certificate' }] },
}

interface World {
  readonly config?: object
  readonly copied?: readonly string[]
  /** Labels of the host's object; undefined: it does not exist. */
  readonly there?: Readonly<Record<string, string>>
  readonly isNotSynced?: boolean
  /** The problem with the copy of the named object. */
  readonly awaited?: 'missing' | 'outdated' | 'behind'
}

function partsOf(
  kind: SyncKind,
  { config = mapped, copied = [], there, isNotSynced = false, awaited }: World,
): HoldParts {
  const served = { findKind: async () => ({ resource: 'services' }) }
  const get = async () => {
    if (there === undefined) throw notFound({ group: '', plural: 'services' }, 'theirs')
    return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'theirs', labels: there } }
  }
  return {
    rules: rulesFor(kind, 'any', config),
    others: {
      findService: async () => undefined,
      requirePlace: async () => {},
      isNotSynced: () => isNotSynced,
      hasCopy: ({ name }) => copied.includes(name),
      lacksCopy: ({ name }) => !copied.includes(name),
      holdersOf: () => [],
      whyAwaited: async () => awaited,
    },
    host: { served, get } as unknown as HoldParts['host'],
    signal: new AbortController().signal,
  }
}

describe('if names are kept', () => {
  it.each([
    ['an EndpointSlice takes no traffic of a Service', endpointSlicesSync, slice],
    ['Endpoints take no traffic of a Service', endpointsSync, endpoints],
    ['an Ingress opens no Service', ingressesSync, ingress],
    ['a claim gets no data of a claim', persistentVolumeClaimsSync, claim],
  ] as const)('%s that is not the tenant’s', async (_, kind, virtual) => {
    const pair = { virtual, copy: undefined }
    const there = { 'tenant.internal/managed-by': 'other' }
    await expect(requireOwnHold(pair, partsOf(kind, { there }))).rejects.toThrow(NotYet)
    await expect(requireOwnHold(pair, partsOf(kind, {}))).rejects.toThrow(NotYet)
    await requireOwnHold(pair, partsOf(kind, { copied: ['theirs', 'certificate'], there }))
    await requireOwnHold(pair, partsOf(kind, { config: {}, there }))
  })

  it('an Ingress may use a Service that no tenant created', async () => {
    await requireOwnHold({ virtual: ingress, copy: undefined }, partsOf(ingressesSync, { there: {} }))
    expect(await lacksOwnHold({ virtual: ingress, copy: ingress }, partsOf(ingressesSync, { there: {} }))).toBe(false)
  })

  it('an Ingress in a namespace that belongs only to the tenant keeps its copy while one of its Services is missing', async () => {
    const parts = partsOf(ingressesSync, { config: mappedBy({ '*': 'x-*' }) })
    await requireOwnHold({ virtual: ingress, copy: undefined }, parts)
    expect(await lacksOwnHold({ virtual: ingress, copy: ingress }, parts)).toBe(false)
  })

  it('the host is asked once about a Service, however many paths lead to it', () => {
    const paths = Array.from({ length: 1_000 }, () => ({ backend: { service: { name: 'theirs' } } }))
    const virtual = { ...ingress, spec: { rules: [{ http: { paths } }] } }
    expect(heldBy({ virtual, copy: undefined }, partsOf(ingressesSync, {}).rules)).toHaveLength(1)
  })

  it('an Ingress leads to no other object of another tenant', async () => {
    const backend = { resource: { apiGroup: 'buckets.example.com', kind: 'Bucket', name: 'theirs' } }
    const virtual = { ...ingress, spec: { rules: [{ http: { paths: [{ path: '/', backend }] } }] } }
    const there = { 'tenant.internal/managed-by': 'other' }
    const pair = { virtual, copy: undefined }
    await expect(requireOwnHold(pair, partsOf(ingressesSync, { there }))).rejects.toThrow(/Bucket theirs/)
    await requireOwnHold(pair, partsOf(ingressesSync, { copied: ['theirs'], there }))
    await requireOwnHold(pair, partsOf(ingressesSync, { there: {} }))
  })

  it('an Ingress serves no certificate that is not the tenant’s', async () => {
    const pair = { virtual: ingress, copy: undefined }
    const there = { 'tenant.internal/managed-by': 'other' }
    const parts = partsOf(ingressesSync, { copied: ['theirs'], there })
    await expect(requireOwnHold(pair, parts)).rejects.toThrow(/Secret certificate/)
    await expect(requireOwnHold(pair, partsOf(ingressesSync, { copied: ['theirs'] }))).rejects.toThrow(NotYet)
    expect(await lacksOwnHold({ virtual: ingress, copy: ingress }, parts)).toBe(true)
    await requireOwnHold(pair, partsOf(ingressesSync, { copied: ['theirs', 'certificate'], there }))
  })

  it('an EndpointSlice does not wait for a Service whose kind is not synced', async () => {
    const parts = partsOf(endpointSlicesSync, { isNotSynced: true })
    await expect(requireOwnHold({ virtual: slice, copy: undefined }, parts)).rejects.toThrow(SyncTrouble)
  })

  it('an existing slice is not attached to one either, and a claim keeps its data source', async () => {
    const held = requireOwnHold({ virtual: slice, copy: slice }, partsOf(endpointSlicesSync, {}))
    await expect(held).rejects.toThrow(NotYet)
    await requireOwnHold({ virtual: claim, copy: claim }, partsOf(persistentVolumeClaimsSync, {}))
  })

  it('a Pod that is on no node yet goes with its claim, and one that is keeps it', async () => {
    const pod = (spec: object, status = {}): KubeObject => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'any', namespace: 'shop' },
      spec: { containers: [], volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'theirs' } }], ...spec },
      status,
    })
    const lacks = (copy: KubeObject, world: World) =>
      lacksOwnHold({ virtual: pod({}), copy }, partsOf(podsSync, { copied: ['theirs'], ...world }))
    expect(await lacks(pod({}), { awaited: 'outdated' })).toBe(true)
    expect(await lacks(pod({}), { copied: [] })).toBe(true)
    expect(await lacks(pod({}), {})).toBe(false)
    expect(await lacks(pod({ nodeName: 'node-1' }), { awaited: 'outdated' })).toBe(false)
    expect(await lacks(pod({}, { phase: 'Failed' }), { awaited: 'outdated' })).toBe(false)
    expect(await lacks(pod({}), { awaited: 'outdated', config: mappedBy({ '*': 'x-*' }) })).toBe(false)
    expect(await lacks(pod({}), { awaited: 'outdated', config: {} })).toBe(false)
    const pair = { virtual: pod({}), copy: pod({}) }
    expect(heldBy(pair, partsOf(podsSync, {}).rules).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'PersistentVolumeClaim theirs',
    ])
  })

  it.each([
    ['a slice', endpointSlicesSync, slice, true],
    ['Endpoints', endpointsSync, endpoints, true],
    ['an Ingress', ingressesSync, ingress, true],
    ['a claim', persistentVolumeClaimsSync, claim, false],
  ] as const)('%s is checked against the current state of its Service', async (_, kind, virtual, isHeld) => {
    const pair = { virtual, copy: virtual }
    expect(await lacksOwnHold(pair, partsOf(kind, {}))).toBe(isHeld)
    expect(await lacksOwnHold(pair, partsOf(kind, { copied: ['theirs', 'certificate'] }))).toBe(false)
    expect(await lacksOwnHold(pair, partsOf(kind, { config: {} }))).toBe(false)
    const held = heldBy(pair, partsOf(kind, {}).rules).filter((each) => each.kind === 'Service')
    expect(held.map(({ name }) => name)).toEqual(isHeld ? ['theirs'] : [])
    expect(heldBy(pair, partsOf(kind, { config: {} }).rules)).toEqual([])
  })
})
