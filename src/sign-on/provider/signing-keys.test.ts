import { expect, it, vi } from 'vitest'
import { systemRandom } from '../../base/random.ts'
import type { Store, StoredValue } from '../../storage/contract.ts'
import { SigningKeys } from './signing-keys.ts'

const dayMs = 24 * 3_600_000

/** A store with room for one key. */
function storeOfOne(): Store {
  let kept: StoredValue | undefined
  const write = async (key: string, value: Uint8Array, expected: number) => {
    if ((kept?.revision ?? 0) !== expected) return { outcome: 'conflict' as const, current: kept }
    kept = { key, value, revision: expected + 1 }
    return { outcome: 'written' as const, revision: kept.revision }
  }
  const store: Partial<Store> = {
    get: async () => kept,
    create: (key, value) => write(key, value, 0),
    update: write,
  }
  return store as Store
}

it('a key is published before it signs, and its predecessor stays published', async () => {
  let nowMs = 1_000_000
  const clock = { now: () => nowMs }
  const store = storeOfOne()
  const update = vi.spyOn(store, 'update')
  const parts = { store, clock, random: systemRandom, sealingKey: async () => new Uint8Array(32) }
  const keys = new SigningKeys(parts)
  const published = async () => (await keys.published()).map(({ kid }) => kid)
  const first = (await keys.current()).kid
  expect(await published()).toEqual([first])
  nowMs += 31 * dayMs
  const [one, second] = await published()
  expect([one, (await keys.current()).kid]).toEqual([first, first])
  nowMs += dayMs
  expect((await keys.current()).kid).toBe(second)
  expect(await published()).toEqual([first, second])
  nowMs += 31 * dayMs
  const third = (await published())[1]
  expect(await published()).toEqual([second, third])
  expect((await keys.current()).kid).toBe(second)
  const replica = new SigningKeys(parts)
  expect((await replica.published()).map(({ kid }) => kid)).toEqual([second, third])
  expect(update).toHaveBeenCalledTimes(2)
})

it('replicas that start at once agree on one key, and none is stored in plain text', async () => {
  const store = storeOfOne()
  const create = vi.spyOn(store, 'create')
  const parts = { store, clock: { now: () => 1 }, random: systemRandom, sealingKey: async () => new Uint8Array(32) }
  const replicas = [new SigningKeys(parts), new SigningKeys(parts)]
  const [left, right] = await Promise.all(replicas.map(async (each) => (await each.current()).kid))
  expect(left).toBe(right)
  for (const [, value] of create.mock.calls) expect(Buffer.from(value).toString()).not.toContain('"d"')
})
