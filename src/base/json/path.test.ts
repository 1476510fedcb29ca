import { expect, it } from 'vitest'
import { printPath } from './path.ts'

it('a path is printed as Kubernetes prints it', () => {
  expect(printPath(['spec', 'ports', 0, 'name'])).toBe('spec.ports[0].name')
})

it('a long name is truncated', () => {
  expect(printPath(['spec', 'k'.repeat(1_000_000), 7])).toBe(`spec.${'k'.repeat(399)}…[7]`)
})

it('a path has a limited length, however many steps it has', () => {
  const deep = Array.from({ length: 1_000 }, (_, index) => `step-${index}-${'x'.repeat(300)}`)
  expect(printPath(deep).length).toBeLessThan(4_500)
  expect(printPath(deep)).toMatch(/^step-0-x+\.step-1-x+\..*…$/)
})
