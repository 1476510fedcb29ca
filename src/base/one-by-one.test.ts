import { expect, it } from 'vitest'
import { OneByOne } from './one-by-one.ts'

it('does what concerns one name in turn, and what concerns others meanwhile', async () => {
  const turns = new OneByOne()
  const done: string[] = []
  let open = () => {}
  const first = turns.take('a', () => new Promise<void>((resolve) => (open = resolve)))
  const second = turns.take('a', async () => void done.push('second'))
  await turns.take('b', async () => void done.push('other'))
  expect(done).toEqual(['other'])
  open()
  await Promise.all([first, second])
  expect(done).toEqual(['other', 'second'])
})

it('goes on after what failed, and tells the failure to its caller alone', async () => {
  const turns = new OneByOne()
  const failing = turns.take('a', () => Promise.reject(new Error('no')))
  const next = turns.take('a', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
