import { expect, it } from 'vitest'
import { pause, rest, waitAtMost } from './pause.ts'

const ages = 1_000_000

it('rest resolves when it is aborted, and pause rejects with the reason', async () => {
  const stop = new AbortController()
  const waiting = [rest(ages, stop.signal), expect(pause(ages, stop.signal)).rejects.toThrow('enough')]
  stop.abort(new Error('enough'))
  await Promise.all(waiting)
  await rest(ages, stop.signal)
})

it('waitAtMost waits for work that ends in time, and no longer', async () => {
  await waitAtMost(ages, Promise.resolve())
  await waitAtMost(1, new Promise(() => {}))
  await expect(waitAtMost(ages, Promise.reject(new Error('failed')))).rejects.toThrow('failed')
})
