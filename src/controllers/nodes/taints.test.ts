import { expect, it } from 'vitest'
import type { Taint, Toleration } from '../../api/types/core-v1.ts'
import { toleratedBy, tolerates } from './taints.ts'

const effects = ['', 'NoSchedule', 'NoExecute']
const tolerations: readonly Toleration[] = ['', 'a', 'b'].flatMap((key) =>
  effects.flatMap((effect) => [
    { key, effect, operator: 'Exists' },
    { key, effect, operator: 'Equal', value: 'v' },
    { key, effect, value: '' },
  ]),
)
const taints: readonly Taint[] = ['a', 'b', 'c'].flatMap((key) => [
  { key, effect: 'NoSchedule' },
  { key, effect: 'NoExecute', value: 'v' },
])

it.each(tolerations)('a taint is tolerated by %o together as alone', (toleration) => {
  expect(taints.filter(toleratedBy([toleration]))).toEqual(taints.filter((taint) => tolerates(toleration, taint)))
})

it('each toleration is read once, however many taints there are', () => {
  let reads = 0
  const counted = Array.from({ length: 100 }, (_, index) => ({
    operator: 'Exists',
    get key() {
      reads++
      return `k${index}`
    },
  }))
  const isTolerated = toleratedBy(counted)
  const all = Array.from({ length: 100 }, (_, index) => ({ key: `k${index}`, effect: 'NoSchedule' }))
  expect(all.every(isTolerated)).toBe(true)
  expect(reads).toBe(100)
})
