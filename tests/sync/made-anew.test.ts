import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PodSpec } from '../../src/api/types/core-v1.ts'
import { type Collection, claims, configMaps, type Draft, events, pods, secrets } from './support/objects.ts'
import { config, main } from './support/running-pods.ts'
import { soon, stays } from './support/soon.ts'
import { startTenantOnHost, type TenantOnHost } from './support/tenant-on-host.ts'

const namespace = 'default'
const originUid = 'tenant.internal/object-uid'
const held = 'example.com/held'

interface Case {
  readonly title: string
  readonly kind: Collection
  readonly fields: { readonly [member: string]: unknown }
  readonly spec: (name: string) => object
}

const volume = (source: object) => ({ containers: [main], volumes: [{ name: 'v', ...source }] })
const claim: Case = {
  title: 'a claim',
  kind: claims,
  fields: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  spec: (claimName) => volume({ persistentVolumeClaim: { claimName } }),
}
const others: readonly Case[] = [
  {
    title: 'a ConfigMap',
    kind: configMaps,
    fields: { data: { a: 'b' } },
    spec: (name) => ({ containers: [{ ...main, envFrom: [{ configMapRef: { name } }] }] }),
  },
  {
    title: 'a Secret',
    kind: secrets,
    fields: { data: { a: 'MQ==' } },
    spec: (name) => volume({ projected: { sources: [{ secret: { name } }] } }),
  },
  {
    title: 'a Secret for images',
    kind: secrets,
    fields: { data: { a: 'MQ==' } },
    spec: (name) => ({ containers: [main], imagePullSecrets: [{ name }] }),
  },
]

/** The host keeps the copy of a referenced object longer than the virtual cluster keeps the object. */
describe('a Pod that refers to', () => {
  let tenant: TenantOnHost
  let count = 0

  beforeAll(async () => {
    tenant = await startTenantOnHost(config)
  })

  afterAll(() => tenant?.remove())

  const findCopy = (kind: Collection, name: string) =>
    tenant.host.find(kind, tenant.hostNamespace, tenant.hostName(name))
  const changeFinalizers = async (kind: Collection, name: string, change: (each: readonly string[]) => string[]) => {
    const { metadata } = await tenant.copy(kind, name)
    const finalizers = change(metadata.finalizers ?? [])
    await tenant.host.patch(kind, tenant.hostNamespace, tenant.hostName(name), { metadata: { finalizers } })
  }
  const warningsOf = async (name: string) =>
    (await tenant.virtual.list(events, namespace))
      .filter(({ involvedObject }) => (involvedObject as { readonly name?: string }).name === name)
      .map(({ reason, message }) => `${reason}: ${message}`)

  /** Creates a referenced object whose copy the host does not release. */
  const begin = async ({ kind, fields, spec }: Case) => {
    count += 1
    const name = `data-${count}`
    const draft: Draft = { metadata: { namespace, name }, ...fields }
    const create = (pod: string) =>
      tenant.virtual.create(pods, { metadata: { namespace, name: `${pod}-${count}` }, spec: spec(name) })
    await tenant.virtual.create(kind, draft)
    await create('first')
    await soon(async () => expect(await findCopy(pods, `first-${count}`)).toBeDefined())
    await changeFinalizers(kind, name, (each) => [...each, held])
    await tenant.virtual.delete(pods, namespace, `first-${count}`)
    await soon(async () => expect(await findCopy(pods, `first-${count}`)).toBeUndefined())
    const second = `second-${count}`
    const letGo = () => changeFinalizers(kind, name, (each) => each.filter((finalizer) => finalizer !== held))
    return { name, draft, second, createSecond: () => create('second'), letGo }
  }

  it.each(others)('$title that was created again waits until the old copy is gone', async (each) => {
    const { name, draft, second, createSecond, letGo } = await begin(each)
    await tenant.virtual.delete(each.kind, namespace, name)
    await soon(async () => expect(await tenant.virtual.find(each.kind, namespace, name)).toBeUndefined())
    const { metadata } = await tenant.virtual.create(each.kind, draft)
    await createSecond()
    await stays(async () => expect(await findCopy(pods, second)).toBeUndefined())
    await letGo()
    await soon(async () => expect(await findCopy(pods, second)).toBeDefined())
    expect((await tenant.copy(each.kind, name)).metadata.annotations).toMatchObject({ [originUid]: metadata.uid })
  })

  it('a deleted claim waits until its copy is gone, and reports it', async () => {
    const { name, second, createSecond, letGo } = await begin(claim)
    await tenant.virtual.delete(claims, namespace, name)
    await createSecond()
    await soon(async () =>
      expect(await warningsOf(second)).toContain(
        `WaitsForReferences: the copy of the PersistentVolumeClaim ${name} that it refers to is of one that was deleted, and is not gone yet`,
      ),
    )
    expect(await findCopy(pods, second)).toBeUndefined()
    await letGo()
    await soon(async () => expect(await findCopy(pods, second)).toBeDefined())
    expect(await findCopy(claims, name)).toBeUndefined()
  })

  it('an ephemeral volume uses its own claim, not an existing one with the same name', async () => {
    const template = { spec: claim.fields.spec }
    const spec = volume({ ephemeral: { volumeClaimTemplate: template } })
    await tenant.virtual.create(claims, { metadata: { namespace, name: 'own-v' }, ...claim.fields })
    await soon(async () => expect(await findCopy(claims, 'own-v')).toBeDefined())
    const { metadata } = await tenant.virtual.create(pods, { metadata: { namespace, name: 'own' }, spec })
    const message = 'ephemeral volume v: PVC default/own-v was not created for pod default/own (pod is not owner)'
    await soon(async () => expect(await warningsOf('own')).toContain(`FailedBinding: ${message}`))
    expect(await findCopy(pods, 'own')).toBeUndefined()
    await tenant.virtual.delete(claims, namespace, 'own-v')
    await soon(async () => expect(await findCopy(pods, 'own')).toBeDefined())
    const made = await tenant.virtual.find(claims, namespace, 'own-v')
    expect(made?.metadata.ownerReferences).toMatchObject([{ kind: 'Pod', uid: metadata.uid, controller: true }])
    expect((await tenant.copy(claims, 'own-v')).metadata.annotations).toMatchObject({
      [originUid]: made?.metadata.uid,
    })
    const { volumes } = (await tenant.copy(pods, 'own')).spec as PodSpec
    const claimName = tenant.hostName('own-v')
    expect(volumes).toContainEqual({ name: 'v', persistentVolumeClaim: { claimName } })
  })
})

/** A cluster keeps deleted claims for Pods that use them. */
describe('a claim that was deleted', () => {
  let tenant: TenantOnHost
  let count = 0

  beforeAll(async () => {
    tenant = await startTenantOnHost(config)
  })

  afterAll(() => tenant?.remove())

  const findClaim = (name: string) => tenant.virtual.find(claims, namespace, name)
  const findCopy = (name: string) => tenant.host.find(claims, tenant.hostNamespace, tenant.hostName(name))
  const podOfHost = (name: string) => `holds-${name}`

  /** A Pod of the host, on a node and unknown to the virtual cluster, uses the copy of a claim. */
  const begin = async () => {
    count += 1
    const name = `held-${count}`
    const draft: Draft = { metadata: { namespace, name }, ...claim.fields }
    await tenant.virtual.create(claims, draft)
    await soon(async () => expect(await findCopy(name)).toBeDefined())
    const spec = { ...claim.spec(tenant.hostName(name)), nodeName: 'node-1' }
    await tenant.host.create(pods, { metadata: { namespace: tenant.hostNamespace, name: podOfHost(name) }, spec })
    await tenant.virtual.delete(claims, namespace, name)
    await soon(async () => expect((await findCopy(name))?.metadata.deletionTimestamp).toBeDefined())
    const end = { gracePeriodSeconds: 0 }
    const path = `/api/v1/namespaces/${tenant.hostNamespace}/pods/${podOfHost(name)}`
    return { name, draft, letGo: () => tenant.host.insist('DELETE', path, end) }
  }

  it('exists while a Pod of the host uses its copy, and can then be created again', async () => {
    const { name, draft, letGo } = await begin()
    await stays(async () => expect((await findClaim(name))?.metadata.deletionTimestamp).toBeDefined())
    await expect(tenant.virtual.create(claims, draft)).rejects.toMatchObject({ status: 409 })
    await letGo()
    await soon(async () => expect(await findClaim(name)).toBeUndefined())
    expect(await findCopy(name)).toBeUndefined()
    const { metadata } = await tenant.virtual.create(claims, draft)
    await soon(async () => {
      expect((await tenant.copy(claims, name)).metadata.annotations).toMatchObject({ [originUid]: metadata.uid })
    })
  })

  it('is deleted when claims are no longer synced', async () => {
    const { name, letGo } = await begin()
    tenant.syncer.configure(
      JSON.stringify({ ...config, sync: { toHost: { persistentVolumeClaims: { enabled: false } } } }),
    )
    await soon(async () => expect(await findClaim(name)).toBeUndefined())
    await letGo()
    await soon(async () => expect(await findCopy(name)).toBeUndefined())
  })
})
