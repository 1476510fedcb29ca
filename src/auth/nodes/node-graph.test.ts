import fc from 'fast-check'
import { expect, it } from 'vitest'
import { graphKey, NodeGraph } from './node-graph.ts'

const pod = graphKey('pods', 'a', 'p')
const other = graphKey('pods', 'a', 'q')
const claim = graphKey('persistentvolumeclaims', 'a', 'c')
const volume = graphKey('persistentvolumes', '', 'v')
const secret = graphKey('secrets', 'b', 's')

it('what a Pod refers to concerns its node, whatever became known first', () => {
  const graph = new NodeGraph()
  graph.refer(volume, [secret])
  graph.bind(pod, 'n1')
  graph.link(claim, volume)
  expect(graph.concerns(secret, 'n1')).toBe(false)
  graph.refer(pod, [claim])
  expect([claim, volume, secret].map((key) => graph.concerns(key, 'n1'))).toEqual([true, true, true])
  expect(graph.concerns(secret, 'n2')).toBe(false)
})

it('an object concerns a node as long as one path leads there', () => {
  const graph = new NodeGraph()
  for (const key of [pod, other]) {
    graph.bind(key, 'n1')
    graph.refer(key, [secret])
  }
  graph.bind(pod, '')
  expect(graph.concerns(secret, 'n1')).toBe(true)
  graph.refer(other, [])
  expect(graph.concerns(secret, 'n1')).toBe(false)
  expect(graph.concerns(other, 'n1')).toBe(true)
})

type Step =
  | { readonly action: 'bind'; readonly pod: number; readonly node: string }
  | { readonly action: 'refer'; readonly level: number; readonly from: number; readonly to: readonly number[] }

const key = (level: number, index: number) => graphKey(`level${level}`, '', `${index}`)
const index = fc.integer({ min: 0, max: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ action: fc.constant('bind' as const), pod: index, node: fc.constantFrom('', 'n1', 'n2') }),
  fc.record({
    action: fc.constant('refer' as const),
    level: fc.integer({ min: 0, max: 2 }),
    from: index,
    to: fc.array(index, { maxLength: 4 }),
  }),
)

it('equals the result of a search through all references, after any changes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const graph = new NodeGraph()
      const bound = new Map<string, string>()
      const references = new Map<string, readonly string[]>()
      for (const each of steps) {
        if (each.action === 'bind') {
          graph.bind(key(0, each.pod), each.node)
          bound.set(key(0, each.pod), each.node)
        } else {
          const to = each.to.map((target) => key(each.level + 1, target))
          graph.refer(key(each.level, each.from), to)
          references.set(key(each.level, each.from), to)
        }
      }
      const reached = new Map<string, Set<string>>()
      const visit = (at: string, node: string): void => {
        reached.set(at, (reached.get(at) ?? new Set()).add(node))
        for (const next of references.get(at) ?? []) visit(next, node)
      }
      for (const [at, node] of bound) if (node !== '') visit(at, node)
      for (const level of [0, 1, 2, 3]) {
        for (const at of [0, 1, 2, 3].map((each) => key(level, each))) {
          for (const node of ['n1', 'n2']) expect(graph.concerns(at, node)).toBe(reached.get(at)?.has(node) === true)
        }
      }
    }),
  )
})
