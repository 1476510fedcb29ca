import { expect, it } from 'vitest'
import type { ObjectMeta } from '../../api/object.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { secretsSync } from '../kinds/secrets.ts'
import { mappedImport } from './mapped-import.ts'
import { isSecretOfProcess } from './process-secrets.ts'
import { ReferencedPlaces, referencedImport } from './referenced-import.ts'

const instance = { 'app.kubernetes.io/instance': 'shop' }
const ofProcesses: readonly (readonly [string, ObjectMeta])[] = [
  ['the access key of a tenant', { name: 'tenant-platform-api-key', labels: { 'app.kubernetes.io/name': 'tenant' } }],
  ['a key that the platform rotates', { name: 'key', labels: { 'tenant.internal/access-key': 'k' } }],
  ['a proof', { name: 'tenant-shop-identity', labels: instance }],
  ['authorities', { name: 'tenant-shop-pki', labels: instance }],
  ['a kubeconfig', { name: 'tenant-shop', labels: instance }],
  ['a kubeconfig under another name', { name: 'mine', labels: { 'tenant.internal/host-namespace': 'tenants' } }],
  ['the authority of the platform', { name: 'a', labels: { 'app.kubernetes.io/name': 'tenant-platform' } }],
]
const others: readonly (readonly [string, ObjectMeta])[] = [
  ['without labels', { name: 'tenant-shop-identity' }],
  ['of a chart', { name: 'shop-db', labels: { ...instance, 'app.kubernetes.io/name': 'postgresql' } }],
  ['with another name', { name: 'tenants', labels: instance }],
]
const secret = (metadata: ObjectMeta) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'tenants', ...metadata },
})

/** The import of all Secrets of a namespace, and of one by its name. */
const byName = { 'tenants/*': 'default/*', 'tenants/tenant-shop-pki': 'default/pki' }
const identity = { tenant: 'other', hostNamespace: 'elsewhere' }
const tenant = { identity, config: effectiveConfig({}) } as Parameters<typeof mappedImport>[1]
const { mayImport } = mappedImport({ kind: secretsSync, byName, patches: [] }, tenant)
const { signal } = new AbortController()

it.each(ofProcesses)('%s is a Secret of a process', (_what, metadata) => {
  expect(isSecretOfProcess(secret(metadata))).toBe(true)
})

it.each(others)('a Secret %s is none', (_what, metadata) => {
  expect(isSecretOfProcess(secret(metadata))).toBe(false)
  expect(mayImport(secret(metadata), signal)).toBe(true)
})

it.each(ofProcesses)('%s is imported only by its name', (_what, metadata) => {
  expect(mayImport(secret(metadata), signal)).toBe(metadata.name === 'tenant-shop-pki')
})

it.each(ofProcesses)('%s is not imported because something refers to it', async (_what, metadata) => {
  const places = new ReferencedPlaces(({ name }) => ({ namespace: 'tenants', name }))
  places.set({ namespace: 'shop', name: metadata.name ?? '' }, true)
  const referenced = referencedImport(secretsSync, places, {
    hostNamespace: undefined,
    hostOf: ({ name }) => ({ namespace: 'tenants', name }),
    isComplete: () => true,
    mayRead: async () => true,
  })
  expect(await referenced.mayImport(secret(metadata), signal)).toBe(false)
  expect(await referenced.mayImport({ ...secret(metadata), kind: 'ConfigMap' }, signal)).toBe(true)
})
