import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { cutBy } from './cuts.ts'

it('cuts any number of requests by one signal without a warning of Node, and only until they end', async () => {
  const warnings: Error[] = []
  const warned = (warning: Error) => warnings.push(warning)
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const stopping = new AbortController()
  let cuts = 0
  const forgets = Array.from({ length: 50 }, () => cutBy([undefined, stopping.signal], () => (cuts += 1)))
  await nextTurn()
  expect(warnings).toEqual([])
  for (const forget of forgets.slice(0, 20)) forget()
  stopping.abort()
  expect(cuts).toBe(30)
  expect(getEventListeners(stopping.signal, 'abort')).toEqual([])
})
