import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { DaemonNode } from './daemon-node.ts'
import { daemonNodeFrom } from './daemon-node.ts'
import { knownFits } from './known-fits.ts'
import { MovedNodes, mostMoved } from './moved-nodes.ts'
import type { DaemonPlacement } from './placement.ts'

function node(name: string, labels: Readonly<Record<string, string>> = {}): DaemonNode {
  return daemonNodeFrom({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: {} })
}

/** How many turns the event loop had in the meantime. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await nextTurn()
    turns++
  }
  return turns
}

describe('a DaemonSet and very many Nodes', () => {
  it('are matched in steps, each Node once', async () => {
    const nodes = Array.from({ length: 2_000 }, (_, index) => node(`n${index}`))
    let asked = 0
    const fitOf: DaemonPlacement = () => {
      asked++
      return 'runs'
    }
    const fits = knownFits(nodes, fitOf)
    expect(await turnsDuring(fits)).toBeGreaterThanOrEqual(19)
    const known = await fits
    for (const each of nodes) expect(known(each)).toBe('runs')
    expect(asked).toBe(nodes.length)
    known(node('later'))
    expect(asked).toBe(nodes.length + 1)
  })
})

describe('a Node that changes', () => {
  const blue: DaemonPlacement = ({ labels }) => (labels.color === 'blue' ? 'runs' : 'never')
  const worldOf = (count: number) => {
    const daemonSets = Array.from({ length: count }, (_, index) => ({
      name: index,
      fitOf: index % 2 === 0 ? blue : (): 'runs' => 'runs',
    }))
    const concerned: number[] = []
    const concern = ({ name }: { readonly name: number }) => concerned.push(name)
    const moved = new MovedNodes({ daemonSets: () => daemonSets, concern, signal: new AbortController().signal })
    return { moved, concerned }
  }

  it('requeues the DaemonSets whose decision about it changes', async () => {
    const { moved, concerned } = worldOf(4)
    moved.add({ before: node('a'), after: node('a', { color: 'blue' }) })
    moved.add({ before: node('b'), after: node('b') })
    await expect.poll(() => concerned).toEqual([0, 2])
  })

  it('is compared with them in steps', async () => {
    const { moved, concerned } = worldOf(1_000)
    moved.add({ before: node('a', { color: 'blue' }), after: undefined })
    await nextTurn()
    expect(concerned.length).toBeLessThan(1_000)
    await expect.poll(() => concerned.length).toBe(1_000)
  })

  it('requeues all of them after too many changes', async () => {
    const { moved, concerned } = worldOf(4)
    for (let index = 0; index <= mostMoved + 1; index++)
      moved.add({ before: node('a', { at: `${index}` }), after: node('a') })
    await expect.poll(() => concerned).toEqual([0, 1, 2, 3])
  })
})
