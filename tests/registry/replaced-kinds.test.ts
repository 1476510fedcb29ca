import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configMap } from '../../src/api/core/config-map.ts'
import { coreKinds } from '../../src/api/core/kinds.ts'
import { startRegistry, startWatch, type TestRegistry } from '../support/registry.ts'

let world: TestRegistry

beforeAll(async () => {
  world = await startRegistry(coreKinds())
})

afterAll(() => world.stop())

describe('added and removed kinds', () => {
  it('cannot replace another kind', async () => {
    const rival = { kind: { ...configMap }, hooks: {} }
    await expect(world.registry.replace([], [rival])).rejects.toThrow('a kind with that name exists already')
    expect(world.resource('configmaps').kind).toBe(configMap)
  })

  it('are not removed by another kind of the same name', () => {
    world.registry.remove({ ...configMap })
    expect(world.resource('configmaps').kind).toBe(configMap)
  })

  it('end a watch that found its kind just before the replacement', async () => {
    const before = world.resource('configmaps')
    await world.registry.replace([configMap], [{ kind: { ...configMap }, hooks: {} }])
    await startWatch(before, 'default', { allowWatchBookmarks: true }).ended
    const live = startWatch(world.resource('configmaps'), 'default')
    live.stop()
    await live.ended
  })
})
