import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import type { Kind } from '../../src/api/kind.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { PatchRequest } from '../../src/registry/contract.ts'
import { bodyOf, latest, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'

/** Templates that an earlier version stored without one of the defaults. */

const target = { namespace: 'default', name: 'web' }
const labels = { app: 'web' }

let isLater: boolean
let world: TestRegistry

beforeEach(async () => {
  isLater = false
  world = await startRegistry(builtinKinds().map(withLaterDefault))
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('default')), writeRequest())
})

afterEach(() => world.stop())

function withLaterDefault(kind: Kind): Kind {
  if (kind.keepsTemplate !== true) return kind
  const defaults = (object: KubeObject) => {
    const normal = kind.strategy.defaults?.(object) ?? object
    if (!isLater) return normal
    const { template, ...spec } = Object(normal.spec)
    const later = { ...template, spec: { hostname: 'later', ...template.spec } }
    return { ...normal, spec: { ...spec, template: later } }
  }
  return { ...kind, strategy: { ...kind.strategy, defaults } }
}

const kinds = [
  ['daemonsets', 'apps/v1', 'DaemonSet'],
  ['statefulsets', 'apps/v1', 'StatefulSet'],
  ['deployments', 'apps/v1', 'Deployment'],
  ['replicasets', 'apps/v1', 'ReplicaSet'],
  ['replicationcontrollers', 'v1', 'ReplicationController'],
] as const

describe.each(kinds)('%s', (plural, apiVersion, kind) => {
  const manifest = (image = 'app:1', more: object = {}) => ({
    apiVersion,
    kind,
    metadata: { name: 'web', labels },
    spec: {
      selector: kind === 'ReplicationController' ? labels : { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }], ...more } },
    },
  })
  const resource = () => world.resource(plural)
  const stored = async () => (await resource().get(target, latest)).object
  const templateOf = (object: KubeObject) => Object(object.spec).template

  beforeEach(async () => {
    await resource().create({ namespace: 'default' }, bodyOf(manifest()), writeRequest())
    isLater = true
  })

  const patch = (type: Exclude<PatchRequest['type'], 'apply'>, value: unknown) =>
    resource().patch(target, { type, body: bodyOf(value) }, writeRequest())
  const apply = (value: unknown) =>
    resource().patch(target, { type: 'apply', force: true, body: bodyOf(value) }, writeRequest({ fieldManager: 'ci' }))

  const writes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['the manifest sent again', () => resource().update(target, bodyOf(manifest()), writeRequest())],
    ['the manifest applied', () => apply(manifest())],
    [
      'what was read with another label',
      async () => {
        const object = await stored()
        const metadata = { ...object.metadata, labels: { ...labels, more: 'x' } }
        await resource().update(target, bodyOf({ ...object, metadata }), writeRequest())
      },
    ],
    ['another number', () => patch('merge', { spec: { minReadySeconds: 3 } })],
    ['an annotation', () => patch('strategic', { metadata: { annotations: { note: 'x' } } })],
  ]

  it.each(writes)('keep the template: %s', async (_, write) => {
    const before = await stored()
    await write()
    const after = await stored()
    expect(templateOf(after)).toEqual(templateOf(before))
    expect(JSON.stringify(after.metadata.managedFields)).not.toContain('f:hostname')
  })

  it('do not increase the generation without a change', async () => {
    await patch('merge', { metadata: { labels: { note: 'x' } } })
    expect((await stored()).metadata.generation).toBe(1)
  })

  it('get the default with a changed image', async () => {
    await resource().update(target, bodyOf(manifest('app:2')), writeRequest())
    expect(templateOf(await stored()).spec).toMatchObject({ hostname: 'later', containers: [{ image: 'app:2' }] })
  })

  it('get the value of the writer, even if it is the default', async () => {
    await resource().update(target, bodyOf(manifest('app:1', { hostname: 'later' })), writeRequest())
    expect(templateOf(await stored()).spec.hostname).toBe('later')
  })
})

describe('a ReplicaSet created by a kube-controller-manager', () => {
  const made = async (image: string) => {
    const spec = { containers: [{ name: 'main', image: 'app:1' }] }
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    }
    const { document } = await world
      .resource('deployments')
      .create({ namespace: 'default' }, bodyOf(deployment), writeRequest())
    isLater = true
    const { uid } = document.object.metadata
    const { template } = Object(document.object.spec)
    const marked = { ...labels, 'pod-template-hash': 'abc' }
    const containers = [{ ...template.spec.containers[0], image }]
    const replicaSet = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: 'web-abc',
        labels: marked,
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid, controller: true }],
      },
      spec: {
        selector: { matchLabels: marked },
        template: { metadata: { labels: marked }, spec: { ...template.spec, containers } },
      },
    }
    const created = await world
      .resource('replicasets')
      .create({ namespace: 'default' }, bodyOf(replicaSet), writeRequest())
    return { sent: replicaSet.spec.template, stored: Object(created.document.object.spec).template }
  }

  it('has the template of its Deployment', async () => {
    const { sent, stored } = await made('app:1')
    expect(stored.spec).toEqual(sent.spec)
    expect(stored.metadata.labels).toEqual(sent.metadata.labels)
  })

  it('gets the default with a changed image', async () => {
    const { stored } = await made('app:2')
    expect(stored.spec.hostname).toBe('later')
  })
})
