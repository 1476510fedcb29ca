import { expect, it } from 'vitest'
import { OneByOne } from './one-by-one.ts'

it('runs tasks of one name in sequence, and tasks of other names in parallel', async () => {
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

it('continues after a failed task, and reports the failure to its caller only', async () => {
  const turns = new OneByOne()
  const failing = turns.take('a', () => Promise.reject(new Error('no')))
  const next = turns.take('a', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
