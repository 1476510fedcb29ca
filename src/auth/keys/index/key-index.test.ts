import { describe, expect, it } from 'vitest'
import { indexOf, minted, minute, record, start, stateAt, token } from '../../../../tests/support/examples/key.ts'
import { systemRandom } from '../../../base/random.ts'
import type { KeyRecord } from '../contract.ts'
import { hashKey, mintKey } from '../values/key-value.ts'

describe('looking a key up', () => {
  it('finds it by its value', () => {
    const check = indexOf([record]).check(token, start)
    expect(check).toMatchObject({
      state: 'valid',
      key: { name: 'ci', uid: 'uid-1', owner: { kind: 'user', name: 'alice' }, scope: undefined },
      value: { which: 'current', keyId: minted.keyId },
    })
  })

  it.each([
    ['nothing', ''],
    ['another key', mintKey(systemRandom).value],
    ['its hash', minted.hash],
    ['its id', minted.keyId],
    ['a typo', `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`],
    ['another token', 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln'],
  ])('does not know %s', (_, presented) => {
    expect(stateAt(indexOf([record]), start, presented)).toBe('unknown')
  })

  it('treats a typo as unknown even if its hash is stored', () => {
    const typo = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
    expect(stateAt(indexOf([{ ...record, hash: hashKey(typo) }]), start, typo)).toBe('unknown')
  })

  it('reports the problem of a key whose secret is right', () => {
    expect(stateAt(indexOf([{ ...record, disabled: true }]), start)).toBe('disabled')
    expect(stateAt(indexOf([{ ...record, deletionRequested: true }]), start)).toBe('deleted')
    expect(stateAt(indexOf([{ ...record, disabled: true, deletionRequested: true }]), start)).toBe('deleted')
    expect(stateAt(indexOf([{ ...record, ttlSeconds: 1 }]), start + 1000)).toBe('expired')
    expect(stateAt(indexOf([{ ...record, ttlSeconds: 1, disabled: true }]), start + 1000)).toBe('disabled')
  })

  it('follows every change, and forgets a removed key', () => {
    const index = indexOf([record])
    index.upsert({ ...record, disabled: true })
    expect(stateAt(index, start)).toBe('disabled')
    index.upsert(record)
    expect(stateAt(index, start)).toBe('valid')
    index.remove(record.uid)
    expect(stateAt(index, start)).toBe('unknown')
    expect(index.size).toBe(0)
    expect(index.find(record.uid)).toBeUndefined()
    index.remove(record.uid)
  })

  it('assigns a value to the key that had it first', () => {
    const index = indexOf([record, { ...record, uid: 'uid-2', name: 'copy', owner: { kind: 'user', name: 'eve' } }])
    expect(index.check(token, start)).toMatchObject({ key: { uid: 'uid-1' } })
    expect(index.ownerOfHash(minted.hash)?.uid).toBe('uid-1')
    index.remove('uid-2')
    expect(stateAt(index, start)).toBe('valid')
  })

  it('shares equal parts of keys', () => {
    const scope = { projects: [{ project: 'a' }] }
    const other = mintKey(systemRandom)
    const index = indexOf([
      { ...record, scope, groups: ['g'] },
      { ...record, uid: 'uid-2', hash: other.hash, scope: { projects: [{ project: 'a' }] }, groups: ['g'] },
    ])
    expect(index.find('uid-1')?.scope).toBe(index.find('uid-2')?.scope)
    expect(index.find('uid-1')?.groups).toBe(index.find('uid-2')?.groups)
    index.remove('uid-1')
    expect(index.find('uid-2')?.scope?.source).toEqual(scope)
  })

  it('stays right through many insertions, rotations and removals', () => {
    const index = indexOf([])
    const keys = Array.from({ length: 500 }, (_, at) => ({ ...mintKey(systemRandom), uid: `uid-${at}` }))
    for (const { uid, keyId, hash } of keys) index.upsert({ ...record, uid, name: uid, keyId, hash })
    for (const { uid } of keys.slice(0, 400)) index.remove(uid)
    for (const [at, { value, uid }] of keys.entries()) {
      expect(index.check(value, start)).toMatchObject(at < 400 ? { state: 'unknown' } : { key: { uid } })
    }
    for (const { uid, keyId, hash } of keys) index.upsert({ ...record, uid, name: uid, keyId, hash })
    expect(keys.every(({ value }) => stateAt(index, start, value) === 'valid')).toBe(true)
    expect(index.size).toBe(500)
  })
})

describe('rotation', () => {
  const next = mintKey(systemRandom)
  const rotated: KeyRecord = {
    ...record,
    keyId: next.keyId,
    hash: next.hash,
    previous: { keyId: minted.keyId, hash: minted.hash, validUntilMs: start + minute },
  }

  it('accepts both values until the overlap ends', () => {
    const index = indexOf([record])
    index.upsert(rotated)
    expect(index.check(next.value, start)).toMatchObject({ value: { which: 'current', keyId: next.keyId } })
    expect(index.check(token, start + minute - 1)).toMatchObject({ value: { which: 'previous', keyId: minted.keyId } })
    expect(stateAt(index, start + minute)).toBe('unknown')
    expect(stateAt(index, start + minute, next.value)).toBe('valid')
    expect(index.takeExpired(start + minute)).toEqual([{ uid: 'uid-1', name: 'ci', what: 'value' }])
    expect(index.ownerOfHash(minted.hash)).toBeUndefined()
  })

  it('without overlap ends the old value and its connections at once', () => {
    const index = indexOf([record])
    const signal = index.revokedSignal('uid-1', minted.keyId)
    index.upsert({ ...record, keyId: next.keyId, hash: next.hash })
    expect(signal.aborted).toBe(true)
    expect(stateAt(index, start)).toBe('unknown')
    expect(stateAt(index, start, next.value)).toBe('valid')
  })

  it('with overlap cuts the connections of the old value when it ends, and none of the new one', () => {
    const index = indexOf([record])
    const old = index.revokedSignal('uid-1', minted.keyId)
    index.upsert(rotated)
    const current = index.revokedSignal('uid-1', next.keyId)
    expect(index.revokedSignal('uid-1', minted.keyId)).toBe(old)
    index.takeExpired(start + minute - 1)
    expect(old.aborted).toBe(false)
    index.takeExpired(start + minute)
    expect([old.aborted, current.aborted]).toEqual([true, false])
    expect(index.revokedSignal('uid-1', minted.keyId).aborted).toBe(true)
  })

  it('can be reverted', () => {
    const index = indexOf([record])
    index.upsert(rotated)
    index.upsert(record)
    expect(stateAt(index, start)).toBe('valid')
    expect(stateAt(index, start, next.value)).toBe('unknown')
  })

  it('remembers clients of the old value, up to a limit', () => {
    const index = indexOf([rotated])
    for (let user = 0; user < 40; user++) index.notePreviousUser('uid-1', start + user, `192.0.2.${user}`, 'curl')
    index.notePreviousUser('uid-1', start + 100, '192.0.2.20', 'curl')
    const users = index.previousUsers('uid-1')
    expect(users).toHaveLength(32)
    expect(users.at(-1)).toEqual({ from: '192.0.2.20', userAgent: 'curl', lastActivityMs: start + 100 })
    expect(users.filter(({ from }) => from === '192.0.2.20')).toHaveLength(1)
    index.upsert({ ...record, keyId: next.keyId, hash: next.hash })
    expect(index.previousUsers('uid-1')).toEqual([])
    index.notePreviousUser('uid-1', start, '::1', 'curl')
    expect(index.previousUsers('uid-1')).toEqual([])
  })
})
