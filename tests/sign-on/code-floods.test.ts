import { afterAll, beforeAll, expect, it } from 'vitest'
import { testClock } from '../support/registry.ts'
import { devicesOf } from './support/devices.ts'
import { openStage, type Stage } from './support/stage.ts'

const clock = testClock()
let stage: Stage
const { poll } = devicesOf(() => stage)

beforeAll(async () => {
  stage = await openStage({}, { clock })
}, 240_000)
afterAll(() => stage.stop())

it('codes that a network makes up are looked up as often as sign-ins may begin', async () => {
  const browser = stage.browser()
  const shown = [
    () => poll('BBBB-BBBB'),
    () => browser.post('/auth/token', { code: 'made-up', verifier: 'x' }),
    () => browser.post('/auth/session', { code: 'made-up', verifier: 'x' }),
  ]
  for (let round = 0; round < 100; round += 1) {
    for (const show of shown) expect((await show()).status).toBe(401)
  }
  for (const show of shown) expect((await show()).status).toBe(429)
  clock.advance(25)
  expect((await poll('BBBB-BBBB')).status).toBe(401)
  expect((await poll('BBBB-BBBB')).status).toBe(429)
})
