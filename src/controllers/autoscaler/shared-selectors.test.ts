import { expect, it } from 'vitest'
import { SharedSelectors } from './shared-selectors.ts'

it('autoscalers that count the same Pods know of each other, until one of them counts others or is gone', () => {
  const selectors = new SharedSelectors()
  expect(selectors.note('a/one', 'a', 'app=web')).toEqual(['a/one'])
  expect(selectors.note('a/two', 'a', 'app=else')).toEqual(['a/two'])
  expect(selectors.note('b/one', 'b', 'app=web')).toEqual(['b/one'])
  expect(selectors.note('a/two', 'a', 'app=web')).toEqual(['a/one', 'a/two'])
  selectors.forget('a/two')
  expect(selectors.note('a/one', 'a', 'app=web')).toEqual(['a/one'])
})
