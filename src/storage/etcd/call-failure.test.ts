import { status } from '@grpc/grpc-js'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../contract.ts'
import { CallFailure, failureFrom, storeError } from './call-failure.ts'

test.each([
  [status.OUT_OF_RANGE, 'etcdserver: mvcc: required revision has been compacted', 'compacted'],
  [status.OUT_OF_RANGE, 'etcdserver: mvcc: required revision is a future revision', 'future'],
  [status.UNAUTHENTICATED, 'etcdserver: invalid auth token', 'token'],
  [status.INVALID_ARGUMENT, 'etcdserver: user name is empty', 'token'],
  [status.INVALID_ARGUMENT, 'etcdserver: request is too large', 'too-large'],
  [status.INVALID_ARGUMENT, 'etcdserver: authentication failed, invalid user ID or password', 'refused'],
  [status.PERMISSION_DENIED, 'etcdserver: permission denied', 'refused'],
  [status.RESOURCE_EXHAUSTED, 'etcdserver: mvcc: database space exceeded', 'full'],
  [status.UNAVAILABLE, 'etcdserver: no leader', 'not-sent'],
  [status.UNAVAILABLE, 'etcdserver: request timed out', 'broken'],
  [status.UNAVAILABLE, 'etcdserver: leader changed', 'broken'],
  [status.UNAVAILABLE, 'etcdserver: server stopped', 'broken'],
  [status.UNAVAILABLE, 'Connection dropped', 'broken'],
  [status.DEADLINE_EXCEEDED, 'Deadline exceeded', 'broken'],
  [status.UNKNOWN, 'anything else', 'broken'],
])('status %i with "%s" means %s', (code, details, kind) => {
  expect(failureFrom({ code, details }).kind).toBe(kind)
})

test.each([
  ['broken', 'write', true],
  ['broken', 'read', false],
  ['not-sent', 'write', false],
  ['refused', 'write', false],
] as const)('a call that was %s, as a %s, leaves the outcome unknown: %s', (kind, call, outcomeUnknown) => {
  const error = storeError(new CallFailure(kind, 'reason'), call)
  expect(error).toBeInstanceOf(StoreUnavailable)
  expect(error).toMatchObject({ outcomeUnknown })
})
