import { describe, expect, it } from 'vitest'
import { type Attributes, anonymousUser, type UserInfo } from './access.ts'
import { forbiddenFor } from './forbidden.ts'

const alice: UserInfo = { name: 'alice', groups: ['dev', 'system:authenticated'] }
const keys = { group: 'management.example.com', version: 'v1', resource: 'ownedaccesskeys', subresource: '' }
const configMaps = { group: '', version: 'v1', resource: 'configmaps', subresource: '', name: '' }

/** The answers of kube-apiserver 1.32.4. */
const recorded: readonly (readonly [Attributes, string, object])[] = [
  [
    { user: anonymousUser, verb: 'list', ...configMaps, namespace: 'default' },
    'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
    { kind: 'configmaps' },
  ],
  [
    { user: alice, verb: 'get', ...keys, namespace: '', name: 'k1' },
    'ownedaccesskeys.management.example.com "k1" is forbidden: User "alice" cannot get resource "ownedaccesskeys" in API group "management.example.com" at the cluster scope',
    { name: 'k1', group: 'management.example.com', kind: 'ownedaccesskeys' },
  ],
  [
    { user: alice, verb: 'patch', ...keys, subresource: 'status', namespace: '', name: 'k1' },
    'ownedaccesskeys.management.example.com "k1" is forbidden: User "alice" cannot patch resource "ownedaccesskeys/status" in API group "management.example.com" at the cluster scope',
    { name: 'k1', group: 'management.example.com', kind: 'ownedaccesskeys' },
  ],
  [{ user: alice, verb: 'get', path: '/metrics' }, 'forbidden: User "alice" cannot get path "/metrics"', {}],
]

describe('a refusal by authorization', () => {
  it.each(recorded)('%j', (attributes, message, details) => {
    expect(forbiddenFor(attributes, { verdict: 'no-opinion', reason: '' }).status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Forbidden',
      details,
      code: 403,
    })
  })

  it('ends with the reason, if there is one', () => {
    const attributes = { user: alice, verb: 'get', path: '/x' }
    expect(forbiddenFor(attributes, { verdict: 'deny', reason: 'not today' }).message).toBe(
      'forbidden: User "alice" cannot get path "/x": not today',
    )
  })
})
