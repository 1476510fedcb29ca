import { expect, it } from 'vitest'
import { isOwnKey } from './unrevoked.ts'

const credential = {
  keyName: 'session',
  keyUid: 'u1',
  keyId: 'i',
  startedWith: { keyName: 'ci', keyUid: 'u2' },
  scope: { source: {}, grant: () => ({ granted: true, entry: '' }) as const },
  isRevoked: true,
  revoked: AbortSignal.abort(),
}
const user = { name: 'ann', groups: [], credential }
const object = (name: string, uid: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, uid } })

it.each([
  ['the key of the request', object('session', 'u1'), true],
  ['the key that it was started with', object('ci', 'u2'), true],
  ['another object of that name, which a revoked key must not delete', object('session', 'u3'), false],
])('%s', (_, given, isOwn) => {
  expect(isOwnKey(user, given)).toBe(isOwn)
  expect(isOwnKey({ name: 'ann', groups: [] }, given)).toBe(false)
})
