import { expect, it } from 'vitest'
import { WaitingPods } from './waiting-pods.ts'

it('Pods are scheduled by priority, then in order of arrival', () => {
  const waiting = new WaitingPods()
  waiting.add('late', 0)
  waiting.add('low', -1)
  waiting.add('high', 100)
  waiting.add('later', 0)
  waiting.add('late', 0)
  const order = Array.from({ length: 5 }, () => waiting.take())
  expect(order).toEqual(['high', 'late', 'later', 'low', undefined])
})
