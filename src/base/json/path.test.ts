import { expect, it } from 'vitest'
import { type PathElement, pathPrinter, printPath } from './path.ts'

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

it('paths that follow each other are printed like each of them', () => {
  const long = Array.from({ length: 30 }, () => 'x'.repeat(300))
  const paths: readonly (readonly PathElement[])[] = [
    ['spec'],
    ['spec', 'ports', 0, 'name'],
    ['spec', 'ports', 0, 'port'],
    ['spec', 'ports', 1, 'name'],
    ['spec', 'ports'],
    [''],
    ['', 'a'],
    [...long, 'a'],
    [...long, 'b', 0],
    [],
    ['status'],
  ]
  expect(paths.map(pathPrinter())).toEqual(paths.map(printPath))
})
