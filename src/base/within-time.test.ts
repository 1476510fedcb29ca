import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { withinTime } from './within-time.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

it('ends at its deadline even if garbage is collected meanwhile', async () => {
  const signal = withinTime(100, new AbortController().signal)
  const ended = once(signal, 'abort')
  await pause(10)
  collect()
  await pause(10)
  collect()
  await ended
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
})

it('ends with any of its signals', () => {
  const stopping = new AbortController()
  const signal = withinTime(60_000, stopping.signal)
  expect(signal.aborted).toBe(false)
  stopping.abort('stopped')
  expect(signal).toMatchObject({ aborted: true, reason: 'stopped' })
})
