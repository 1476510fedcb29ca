import { expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { secretsSync } from '../kinds/secrets.ts'
import { ReferencedPlaces, referencedImport } from './referenced-import.ts'

const places = new ReferencedPlaces(({ name }) => ({ namespace: 'host', name }))
places.set({ namespace: 'shop', name: 'named' }, true)
const { mayImport } = referencedImport(secretsSync, places, {
  hostNamespace: undefined,
  hostOf: ({ name }) => ({ namespace: 'host', name }),
  isComplete: () => true,
  mayRead: async () => true,
})

const secret = (fields: object, labels = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'host', name: 'named', labels },
  ...fields,
})

it.each([
  ['a Secret that the operator has put there', secret({ type: 'kubernetes.io/dockerconfigjson' }), true],
  ['a Secret of another tenant', secret({}, { 'tenant.internal/managed-by': 'other' }), false],
  ['a token of an account of the host', secret({ type: 'kubernetes.io/service-account-token' }), false],
  ['a token by which nodes join the host', secret({ type: 'bootstrap.kubernetes.io/token' }), false],
])('of what a tenant refers to, %s is shown or not', async (_, object, isShown) => {
  expect(await mayImport(object, new AbortController().signal)).toBe(isShown)
})
