import { expect, it } from 'vitest'
import { KeyedMutex } from './keyed-mutex.ts'

it('runs tasks of one name in sequence, and tasks of other names in parallel', async () => {
  const mutex = new KeyedMutex()
  const done: string[] = []
  let open = () => {}
  const first = mutex.run('a', () => new Promise<void>((resolve) => (open = resolve)))
  const second = mutex.run('a', async () => void done.push('second'))
  await mutex.run('b', async () => void done.push('other'))
  expect(done).toEqual(['other'])
  open()
  await Promise.all([first, second])
  expect(done).toEqual(['other', 'second'])
})

it('continues after a failed task, and reports the failure to its caller only', async () => {
  const mutex = new KeyedMutex()
  const failing = mutex.run('a', () => Promise.reject(new Error('no')))
  const next = mutex.run('a', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
