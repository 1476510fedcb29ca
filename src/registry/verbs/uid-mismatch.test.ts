import { expect, it } from 'vitest'
import { type StoredKind, uidMismatch } from './uid-mismatch.ts'

const builtin = (plural: string, group = ''): StoredKind => ({ plural, group, flavor: 'builtin' })

it.each([
  [builtin('configmaps'), '/registry/configmaps/n/x'],
  [builtin('deployments', 'apps'), '/registry/deployments/n/x'],
  [builtin('services'), '/registry/services/specs/n/x'],
  [builtin('ingresses', 'networking.k8s.io'), '/registry/ingress/n/x'],
  [
    builtin('customresourcedefinitions', 'apiextensions.k8s.io'),
    '/registry/apiextensions.k8s.io/customresourcedefinitions/n/x',
  ],
  [{ plural: 'gardens', group: 'example.com', flavor: 'custom' } as const, '/registry/example.com/gardens/n/x'],
])('another object of the same name is reported with its key in Kubernetes: %j', (kind, key) => {
  const object = { apiVersion: 'v1', kind: 'K', metadata: { namespace: 'n', name: 'x', uid: 'b' } }
  expect(uidMismatch(kind, object, 'a')).toBe(
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: a, UID in object meta: b`,
  )
})

it('a dry run does not tell the beginning of the key', () => {
  const object = { apiVersion: 'v1', kind: 'K', metadata: { namespace: 'n', name: 'x', uid: 'b' } }
  expect(uidMismatch(builtin('configmaps'), object, 'a', true)).toContain(', Key: /configmaps/n/x, ')
})
