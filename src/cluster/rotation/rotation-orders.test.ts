import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { openSharedStore } from '../../../tests/support/stores/shared-store.ts'
import { silentLog } from '../../base/log.ts'
import type { Store } from '../../storage/contract.ts'
import { DirectoryTurn } from './directory-turn.ts'
import { RotationOrders } from './rotation-orders.ts'

let directory: string
let store: Store

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'rotation-'))
  store = await openSharedStore(join(directory, 'store'))
})

afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

it('one replica of a directory follows an order, and all use its files', async () => {
  const steps: string[] = []
  let underWay = 0
  const replicas = ['first', 'second', 'third'].map((name) => {
    const follow = async ({ id }: { readonly id: string }) => {
      underWay += 1
      expect(underWay).toBe(1)
      await delay(5)
      steps.push(`${id} followed`)
      underWay -= 1
    }
    const adopt = async () => void steps.push('adopted')
    const file = join(directory, 'rotation.followed')
    const orders = new RotationOrders({ store, file, follow, adopt, log: silentLog })
    orders.start()
    onTestFinished(() => orders.stop())
    return { name, orders }
  })
  for (const [index, { orders }] of replicas.entries()) {
    await orders.give({ id: `order-${index}`, parts: ['certificate'] })
    const expected = [`order-${index} followed`, 'adopted', 'adopted', 'adopted']
    await expect.poll(() => steps.slice(4 * index)).toEqual(expected)
  }
})

it('a replica takes its own turn to use what it has changed', async () => {
  const { signal } = new AbortController()
  const turn = new DirectoryTurn({ store, directory, signal })
  const steps: string[] = []
  const orders = new RotationOrders({
    store,
    file: join(directory, 'rotation.followed'),
    follow: async () => void steps.push('followed'),
    adopt: () => turn.take(async () => void steps.push('adopted')),
    log: silentLog,
  })
  await orders.give({ id: 'order', parts: ['certificate'] })
  expect(steps).toEqual(['followed', 'adopted'])
  await orders.stop()
})

it('a turn that its replica did not end passes to another one after a minute', async () => {
  let nowMs = 0
  const { signal } = new AbortController()
  const clock = {
    now: () => {
      nowMs += 20_000
      return nowMs
    },
  }
  const options = { store, directory, signal, clock }
  const steps: string[] = []
  await new DirectoryTurn(options).take(async () => {
    steps.push('first')
    await new DirectoryTurn(options).take(async () => void steps.push('second'))
  })
  expect(steps).toEqual(['first', 'second'])
  expect(nowMs).toBeGreaterThanOrEqual(60_000)
})
