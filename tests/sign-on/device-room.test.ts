import { afterAll, beforeAll, expect, it } from 'vitest'
import { keysPath } from '../platform/platform.ts'
import { devicesOf } from './support/devices.ts'
import { openStage, type Stage } from './support/stage.ts'

// The placeholder that waits for a machine and the key that the machine gets count as one key.

let stage: Stage
const { begin, poll, letIn } = devicesOf(() => stage)
const ofJane = `${keysPath}?fieldSelector=${encodeURIComponent('spec.type=Login,spec.user=jane')}`

beforeAll(async () => {
  stage = await openStage({ sessionsPerOwner: 2 })
  await stage.connect('corp')
}, 240_000)
afterAll(() => stage.stop())

async function machines(): Promise<readonly string[]> {
  const { items } = await stage.platform.must('GET', ofJane)
  return (items as readonly { spec: { displayName: string } }[]).map(({ spec }) => spec.displayName).sort()
}

it('a machine that fetches its key ends no other session below the limit', async () => {
  for (const machine of ['first', 'second']) {
    const { userCode } = await begin(machine)
    await letIn(userCode)
    expect((await poll(userCode)).status).toBe(200)
  }
  expect(await machines()).toEqual(['Command line, first, from 127.0.0.1', 'Command line, second, from 127.0.0.1'])
})

it('and ends the oldest one at the limit', async () => {
  const { userCode } = await begin('third')
  await letIn(userCode)
  expect((await poll(userCode)).status).toBe(200)
  const left = await machines()
  expect(left).toHaveLength(2)
  expect(left).toContain('Command line, third, from 127.0.0.1')
})
