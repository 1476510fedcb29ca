import { expect, it } from 'vitest'
import { pause, rest, waitAtMost } from './pause.ts'

const ages = 1_000_000

it('a rest ends at once when it is aborted, without an error; a pause throws why', async () => {
  const stop = new AbortController()
  const waiting = [rest(ages, stop.signal), expect(pause(ages, stop.signal)).rejects.toThrow('enough')]
  stop.abort(new Error('enough'))
  await Promise.all(waiting)
  await rest(ages, stop.signal)
})

it('waits for work that ends in time, and not for other work', async () => {
  await waitAtMost(ages, Promise.resolve())
  await waitAtMost(1, new Promise(() => {}))
  await expect(waitAtMost(ages, Promise.reject(new Error('failed')))).rejects.toThrow('failed')
})
