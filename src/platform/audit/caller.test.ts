import { expect, it } from 'vitest'
import { anonymousUser } from '../../api/access.ts'
import type { AuditRecord } from '../../server/contract.ts'
import { auditedCallerOf } from './caller.ts'

const record: AuditRecord = {
  ...{ auditId: 'a', verb: 'get', requestUri: '/', user: anonymousUser, sourceAddress: '192.0.2.1', userAgent: '' },
  ...{ code: 401, receivedAtMs: 0, finishedAtMs: 0, decision: '', isAuthorized: false },
}

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
])('a stranger from %s is counted as %s', (sourceAddress, name) => {
  expect(auditedCallerOf({ ...record, sourceAddress })).toEqual({ kind: 'stranger', name })
})

it('a caller with a user is known', () => {
  expect(auditedCallerOf({ ...record, user: { name: 'ann', groups: [] } })).toEqual({ kind: 'known', name: 'user ann' })
})
