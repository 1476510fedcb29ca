import { expect, it } from 'vitest'
import { SharedSelectors } from './shared-selectors.ts'

it('autoscalers with the same selector know each other until one changes its selector or is deleted', () => {
  const selectors = new SharedSelectors()
  expect(selectors.note('a/one', 'a', 'app=web')).toEqual(['a/one'])
  expect(selectors.note('a/two', 'a', 'app=else')).toEqual(['a/two'])
  expect(selectors.note('b/one', 'b', 'app=web')).toEqual(['b/one'])
  expect(selectors.note('a/two', 'a', 'app=web')).toEqual(['a/one', 'a/two'])
  selectors.forget('a/two')
  expect(selectors.note('a/one', 'a', 'app=web')).toEqual(['a/one'])
})
