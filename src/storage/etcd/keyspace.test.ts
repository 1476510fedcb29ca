import { describe, expect, test } from 'vitest'
import { Keyspace } from './keyspace.ts'

describe('the keys of a store in etcd', () => {
  test.each(['/tenant', '/tenant/', '/tenant//', ''])(
    'with the prefix %j they are distinct and reversible',
    (prefix) => {
      const keys = new Keyspace(prefix)
      expect(keys.fromEtcd(keys.toEtcd('/a/ü'))).toBe('/a/ü')
      expect(keys.isBarrier(keys.barrier)).toBe(true)
      expect(keys.isBarrier(keys.toEtcd('/a'))).toBe(false)
    },
  )

  test.each(['', 'a', '/\u0000', '/\u0000barrier'])('%j is not a storage key', (key) => {
    expect(() => new Keyspace('/tenant').toEtcd(key)).toThrow(RangeError)
  })

  test.each([
    ['', undefined, '/t/\u0001', '/t0'],
    ['/', undefined, '/t/\u0001', '/t0'],
    ['/a/', undefined, '/t/a/', '/t/a0'],
    ['/a/', '/a/b', '/t/a/b\u0000', '/t/a0'],
    ['/a/', '/', '/t/a/', '/t/a0'],
  ])('the range of %j after %j is [%j, %j)', (prefix, afterKey, start, end) => {
    const range = new Keyspace('/t').range(prefix, afterKey)
    expect([range?.key.toString(), range?.rangeEnd.toString()]).toEqual([start, end])
  })

  test.each([
    ['/a/', '/b'],
    ['a', undefined],
  ])('the range of %j after %j is empty', (prefix, afterKey) => {
    expect(new Keyspace('/t').range(prefix, afterKey)).toBeUndefined()
  })
})
