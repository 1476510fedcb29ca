import { expect, it } from 'vitest'
import { effortProblem } from './limit-effort.ts'

const amounts = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a.b/${index}`, '1']))
const rule = (count: number) => ({ type: 'Container', default: amounts(count), min: amounts(count) })

it.each([
  ['few amounts for many containers', 5, 2_000, undefined],
  ['many amounts for few containers', 1_000, 10, undefined],
  ['many amounts for many containers', 1_000, 11, 'name 2000 amounts for each of 11 containers'],
])('%s', (_, count, containers, problem) => {
  const found = effortProblem([rule(count)], containers)
  if (problem === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(problem)
})
