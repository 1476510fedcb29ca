import { expect, it } from 'vitest'
import { rememberingRecent } from './recent.ts'

it('computes a recent value once, and an older one again', () => {
  const asked: string[] = []
  const length = rememberingRecent(2, (text) => {
    asked.push(text)
    return text === '' ? undefined : text.length
  })
  expect(['a', 'a', '', '', 'a', 'ccc', 'ccc', 'a'].map(length)).toEqual([1, 1, undefined, undefined, 1, 3, 3, 1])
  expect(asked).toEqual(['a', '', 'ccc', 'a'])
})
