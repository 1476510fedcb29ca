import { expect } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { bodyOf, namespaceNamed, type TestRegistry, writeRequest } from '../support/registry.ts'

/** Work that one of the writes follows shows itself after the next. */
const writesInARow = 3

/**
 * Resolves when the controllers have nothing left to do: nothing waits, and between several writes in a row, each of
 * which is committed after all earlier ones, there is no write of theirs and no reconciliation. The revision is the
 * store's.
 */
export async function atRest(world: TestRegistry): Promise<number> {
  const marker = { ...namespaceNamed('marker'), metadata: { name: 'marker', labels: {} } }
  await world.resource('namespaces').create({ namespace: '' }, bodyOf(marker), writeRequest())
  let number = 0
  const writeOne = async (): Promise<void> => {
    number += 1
    const patch = { type: 'merge', body: bodyOf({ metadata: { labels: { number: `${number}` } } }) } as const
    await world.resource('namespaces').patch({ namespace: '', name: 'marker' }, patch, writeRequest())
  }
  let revision = 0
  await eventually(async () => {
    const before = { looks: looks(world), revision: await world.store.currentRevision() }
    for (let write = 0; write < writesInARow; write++) await writeOne()
    revision = await world.store.currentRevision()
    expect({ looks: looks(world), revision }).toEqual({ ...before, revision: before.revision + writesInARow })
    expect(waiting(world)).toBe(0)
  })
  return revision
}

function looks(world: TestRegistry): number {
  return total(world, /^controller_runtime_reconcile_total\{.*\} (\d+)$/gm)
}

function waiting(world: TestRegistry): number {
  return total(world, /^workqueue_depth\{.*\} (\d+)$/gm)
}

function total(world: TestRegistry, pattern: RegExp): number {
  const text = world.registry.engine.metrics.render()
  return [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0)
}
