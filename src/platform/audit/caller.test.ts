import { expect, it } from 'vitest'
import { anonymousUser } from '../../api/access.ts'
import type { AuditRecord } from '../../server/contract.ts'
import { auditedCallerOf } from './caller.ts'

const record: AuditRecord = {
  auditId: 'a',
  verb: 'get',
  requestUri: '/',
  user: anonymousUser,
  sourceAddress: '192.0.2.1',
  userAgent: '',
  code: 401,
  receivedAtMs: 0,
  finishedAtMs: 0,
  decision: '',
  isAuthorized: false,
}

it('a stranger is counted by network', () => {
  const stranger = auditedCallerOf({ ...record, sourceAddress: '2001:db8:1:2:3:4:5:6' })
  expect(stranger).toEqual({ kind: 'stranger', name: '2001:db8:1:2::/64' })
})

it('a caller with a user is known', () => {
  expect(auditedCallerOf({ ...record, user: { name: 'ann', groups: [] } })).toEqual({ kind: 'known', name: 'user ann' })
})
