import { expect, it } from 'vitest'
import { indexOf, record, start } from '../../../tests/support/examples/key.ts'
import { systemRandom } from '../../base/random.ts'
import type { KeyRecord } from './contract.ts'
import { createSessionAuthenticator } from './session-authenticator.ts'
import { mintSession } from './values/session-value.ts'

const minted = mintSession(systemRandom)
const session: KeyRecord = {
  ...record,
  name: 'login-1',
  uid: 'uid-login',
  keyId: minted.keyId,
  hash: minted.hash,
  type: 'Login',
  ttlSeconds: 60,
  session: { startedWith: { kind: 'key', uid: record.uid, keyId: record.keyId }, latestEndMs: start + 600_000 },
}

interface Changes {
  readonly key?: Partial<KeyRecord>
  readonly own?: Partial<KeyRecord>
  readonly laterMs?: number
  readonly locked?: boolean
}

function resultOf({ key, own, laterMs = 0, locked = false }: Changes) {
  const authenticate = createSessionAuthenticator({
    index: indexOf([
      { ...record, ...key },
      { ...session, ...own },
    ]),
    owners: { user: (name) => ({ subject: name, groups: [], teams: [], locked }), team: () => undefined },
    clock: { now: () => start + laterMs },
    tokens: { holderOf: () => undefined },
  })
  return authenticate(minted.halves, { address: '192.0.2.1', userAgent: 'test' })
}

it('a session is valid while its key is', () => {
  expect(resultOf({ laterMs: 59_999 })).toMatchObject({ outcome: 'authenticated', user: { name: 'alice' } })
})

it.each<[string, Changes, string]>([
  ['its key is disabled', { key: { disabled: true } }, 'KeyDisabled'],
  ['its key has expired', { key: { ttlSeconds: 30 }, laterMs: 30_000 }, 'KeyExpired'],
  ['its owner is locked', { locked: true }, 'OwnerLocked'],
  ['it is disabled', { own: { disabled: true } }, 'SessionDisabled'],
  ['it has expired', { laterMs: 60_000 }, 'SessionExpired'],
])('a session is refused with the cause if %s', (_, changes, causeReason) => {
  expect(resultOf(changes)).toMatchObject({ outcome: 'refused', causeReason })
})

it.each<[string, Partial<KeyRecord>]>([
  ['is another one', { uid: 'uid-2' }],
  ['has another value', { keyId: 'another' }],
  ['has another scope', { scope: { projects: [{ project: 'a' }] } }],
])('a session is not known if its key %s', (_, key) => {
  expect(resultOf({ key })).toEqual({ outcome: 'unknown' })
})
