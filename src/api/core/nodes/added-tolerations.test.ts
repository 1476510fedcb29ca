import { expect, it } from 'vitest'
import { addedTolerations } from './added-tolerations.ts'

const exists = { key: 'a', operator: 'Exists' }

it.each([
  ['the same one', exists, []],
  ['one of another effect', { ...exists, effect: 'NoExecute' }, [{ ...exists, effect: 'NoExecute' }]],
  ['one that ends', { ...exists, tolerationSeconds: 5 }, [{ ...exists, tolerationSeconds: 5 }]],
])('beside a toleration, %s', (_, toleration, added) => {
  expect(addedTolerations([exists], [toleration])).toEqual(added)
})

it('thousands of tolerations are not compared in pairs', () => {
  const all = Array.from({ length: 50_000 }, (_, index) => ({ key: `k${index}`, operator: 'Exists' }))
  expect(addedTolerations(all, [...all.toReversed(), { key: 'new' }])).toEqual([{ key: 'new' }])
})
