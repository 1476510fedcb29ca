import { expect, it } from 'vitest'
import { changed, copyOf, rulesFor } from '../../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../../api/object.ts'
import { planObject } from '../../plan/plan.ts'
import type { KindRules } from '../../plan/rules.ts'
import { podsSync } from './pods.ts'

const usual = rulesFor(podsSync, 'Pod')
const virtual: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '1' },
  spec: { containers: [{ name: 'main', image: 'app:1', resources: {} }] },
  status: {},
}

const cordoning = (...nodes: readonly string[]): KindRules => ({
  ...usual,
  setting: { ...usual.setting, cordonedNodes: () => nodes },
})

/** The plan while `after` are cordoned, for a copy that was created while `before` were. */
async function planFor(
  before: readonly string[],
  after: readonly string[],
  { nodeName = '', areNodesKnown = true } = {},
) {
  const made = await copyOf(virtual, cordoning(...before))
  const copy = changed(made, {}, { spec: { ...(made.spec as object), ...(nodeName && { nodeName }) } })
  const { plan } = await planObject({ virtual, copy }, cordoning(...after), { isWanted: true, areNodesKnown })
  return plan
}

it('a copy without a node is created again when a node that it excludes is not cordoned any more', async () => {
  const plan = await planFor(['a', 'b'], ['b'])
  expect(plan).toMatchObject({ action: 'delete', because: 'the node a is not cordoned any more' })
  // Only in the state that was read: the host may have placed it since.
  expect(plan).not.toHaveProperty('ends')
})

it.each<[string, Parameters<typeof planFor>]>([
  ['with a node', [['a'], [], { nodeName: 'b' }]],
  ['while its nodes are still cordoned', [['a'], ['a']]],
  ['when another node is cordoned', [['a'], ['a', 'b']]],
  ['before it is known which nodes are cordoned', [['a'], [], { areNodesKnown: false }]],
])('a copy %s stays', async (_, asked) => {
  expect((await planFor(...asked)).action).not.toBe('delete')
})
