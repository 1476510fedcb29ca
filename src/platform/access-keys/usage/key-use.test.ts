import { describe, expect, it } from 'vitest'
import { isFolded } from '../../../auth/keys/usage/fold-uses.ts'
import type { AuditRecord } from '../../../server/contract.ts'
import { keyUseOf, keyUsesOf } from './key-use.ts'

const record: AuditRecord = {
  auditId: '',
  verb: 'get',
  requestUri: '/',
  user: { name: 'ann', groups: [] },
  sourceAddress: '',
  userAgent: '',
  code: 200,
  receivedAtMs: 0,
  finishedAtMs: 0,
  decision: '',
  isAuthorized: true,
}
const object = { group: '', version: 'v1', resource: 'pods', subresource: '', namespace: 'web', name: 'p' }
const long = 'x'.repeat(300)

describe('the record of a request', () => {
  it('has the path requested from the target, without the part that names the target', () => {
    const requestUri = '/kubernetes/cluster/c/openapi/v3?timeout=1s'
    const target = { kind: 'cluster', cluster: 'c' } as const
    expect(keyUseOf({ ...record, requestUri, target, path: '/openapi/v3' })).toMatchObject({
      path: '/openapi/v3',
      target: 'cluster/c',
    })
  })

  it('also records a creation if a change created the object, or would have behind the platform', () => {
    const patch = { ...record, verb: 'patch', objectRef: object }
    const verbs = (asked: AuditRecord) => keyUsesOf(asked).map(({ verb }) => verb)
    expect(verbs(patch)).toEqual(['patch'])
    expect(verbs({ ...patch, code: 201 })).toEqual(['patch', 'create'])
    expect(verbs({ ...patch, mayCreate: true })).toEqual(['patch', 'create'])
    expect(verbs({ ...patch, verb: 'create', code: 201 })).toEqual(['create'])
  })

  it('has names only of objects of the platform itself', () => {
    expect(keyUseOf({ ...record, objectRef: object }).name).toBe('p')
    expect(keyUseOf({ ...record, objectRef: object, target: { kind: 'cluster', cluster: 'c' } }).name).toBe('')
  })

  it.each([
    ['a group', { objectRef: { ...object, group: '*' } }],
    ['a resource', { objectRef: { ...object, resource: '*' } }],
    ['a namespace', { objectRef: { ...object, namespace: '*' } }],
    ['a name', { objectRef: { ...object, name: '*' } }],
    ['a path', { path: '/*' }],
    ['a resource that is too long', { objectRef: { ...object, resource: long } }],
    ['a name that is too long', { objectRef: { ...object, name: long } }],
  ])('does not count %s that cannot exist as any', (_, asked) => {
    expect(isFolded(keyUseOf({ ...record, ...asked }))).toBe(false)
  })

  it('is short, whatever was requested', () => {
    const all = { ...object, group: long, resource: long, namespace: long, name: long }
    expect(JSON.stringify(keyUseOf({ ...record, objectRef: all })).length).toBeLessThan(300)
    expect(keyUseOf({ ...record, path: `/healthz/${long}` }).path).toBe('/healthz/*')
    expect(keyUseOf({ ...record, path: `/${long}` }).path).toBe(`/${'x'.repeat(20)}…/*`)
  })
})
