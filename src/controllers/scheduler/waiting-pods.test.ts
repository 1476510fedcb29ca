import { expect, it } from 'vitest'
import { WaitingPods } from './waiting-pods.ts'

it('Pods come by priority, and in the order in which they came', () => {
  const waiting = new WaitingPods()
  waiting.add('late', 0)
  waiting.add('low', -1)
  waiting.add('high', 100)
  waiting.add('later', 0)
  waiting.add('late', 0)
  const order = Array.from({ length: 5 }, () => waiting.take())
  expect(order).toEqual(['high', 'late', 'later', 'low', undefined])
})
