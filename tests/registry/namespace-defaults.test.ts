import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { configMap } from '../../src/api/core/config-map.ts'
import { namespace } from '../../src/api/core/namespace.ts'
import { serviceAccount } from '../../src/api/core/service-account.ts'
import type { ResourceContext } from '../../src/registry/context.ts'
import { NamespaceDefaults, type RootCertificate } from '../../src/registry/controllers/namespace-defaults.ts'
import { eventually } from '../support/eventually.ts'
import { bodyOf, namespaceNamed, startRegistry, type TestRegistry, writeRequest } from '../support/registry.ts'

let world: TestRegistry
let defaults: NamespaceDefaults
const failures: unknown[] = []
const root = { current: () => 'the certificate', follow: () => () => {} }
const place = { namespace: 'a', name: 'kube-root-ca.crt' }

beforeEach(async () => {
  world = await startRegistry([namespace, serviceAccount, configMap])
  failures.length = 0
  defaults = startWith(root)
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(namespaceNamed('a')), writeRequest())
  await eventually(() => expect(published()).toBe('the certificate'))
})

afterEach(async () => {
  await defaults.stop()
  await world.stop()
  expect(failures).toEqual([])
})

it('the CA ConfigMap is restored when it is changed', async () => {
  await world.resource('configmaps').update(place, bodyOf(changed('another one')), writeRequest())
  await eventually(() => expect(published()).toBe('the certificate'))
})

it('the CA ConfigMap is restored when it is deleted', async () => {
  await world.resource('configmaps').delete(place, { dryRun: false }, writeRequest())
  await eventually(() => expect(published()).toBe('the certificate'))
})

it('a replica with another authority leaves the CA ConfigMap as it is', async () => {
  const { resourceVersion } = contextOf('ConfigMap').cache.get(place)?.object.metadata ?? {}
  const asked = vi.fn(() => 'the certificate of another authority')
  const other = startWith({ ...root, current: asked })
  await vi.waitFor(() => expect(asked).toHaveBeenCalled())
  await other.stop()
  expect(contextOf('ConfigMap').cache.get(place)?.object.metadata.resourceVersion).toBe(resourceVersion)
  expect(published()).toBe('the certificate')
})

function startWith(certificate: RootCertificate): NamespaceDefaults {
  const kinds = {
    namespaces: contextOf('Namespace'),
    serviceAccounts: contextOf('ServiceAccount'),
    configMaps: contextOf('ConfigMap'),
  }
  return new NamespaceDefaults(kinds, certificate, (_, __, error) => failures.push(error))
}

function changed(certificate: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: place, data: { 'ca.crt': certificate } }
}

function published(): unknown {
  const data = contextOf('ConfigMap').cache.get(place)?.object.data
  return Object(data)['ca.crt']
}

function contextOf(kind: string): ResourceContext {
  const context = world.registry.engine.find('', kind)
  if (context === undefined) throw new Error(`${kind} is not served`)
  return context
}
