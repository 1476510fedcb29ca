import { describe, expect, it } from 'vitest'
import { changed, copyOf, planned, rulesFor } from '../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Pair, Plan } from '../contract.ts'
import { podsSync } from '../kinds/pods/pods.ts'
import { needsConfirmation } from './ending.ts'
import { isToBeCopied } from './plan.ts'

const rules = rulesFor(podsSync, 'Pod')
const elsewhere = rulesFor(podsSync, 'Pod', {
  sync: { toHost: { namespaces: { enabled: true, mappings: { byName: { team: 'x-team' } } } } },
})
const scheduled = [{ type: 'PodScheduled', status: 'True' }]
const spec = { containers: [{ name: 'main', image: 'app:1' }] }

/** A Pod before it has a node. */
const pending: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u1', resourceVersion: '5' },
  spec,
  status: { phase: 'Pending' },
}

const running = changed(
  pending,
  { annotations: { 'tenant.internal/ran-on': 'n1' } },
  {
    spec: { ...spec, nodeName: 'n1' },
    status: { phase: 'Running', conditions: scheduled },
  },
)
const succeeded = changed(running, {}, { status: { phase: 'Succeeded', conditions: scheduled } })

function deleting(object: KubeObject, graceSeconds: number): KubeObject {
  return changed(object, {
    deletionTimestamp: '2026-01-01T00:00:00Z',
    deletionGracePeriodSeconds: graceSeconds,
  })
}

async function copyIn(status: object): Promise<KubeObject> {
  const made = await copyOf(pending, rules)
  return { ...made, spec: { ...spec, nodeName: 'n1' }, status }
}

const copy = await copyIn({ phase: 'Running', conditions: scheduled })
const ending = { action: 'delete', copy: expect.objectContaining({ kind: 'Pod' }) }

interface Row {
  readonly title: string
  readonly pair: Pair
  readonly plan: object
}

const rows: readonly Row[] = [
  {
    title: 'both there and alike: nothing',
    pair: { virtual: running, copy },
    plan: { action: 'nothing' },
  },
  {
    title: 'deleted in the virtual cluster: the copy ends in the same time',
    pair: { virtual: deleting(running, 30), copy },
    plan: { ...ending, ends: { graceSeconds: 30 } },
  },
  {
    title: 'deleted with ten years to end: the copy has an hour',
    pair: { virtual: deleting(running, 315_360_000), copy },
    plan: { ...ending, ends: { graceSeconds: 3_600 } },
  },
  {
    title: 'deleted by force, and held by a finalizer: the copy has the time that it says itself',
    pair: { virtual: deleting(running, 0), copy },
    plan: { ...ending, ends: {} },
  },
  {
    title: 'deleted a second time with less time: so is the copy',
    pair: { virtual: deleting(running, 1), copy: deleting(copy, 30) },
    plan: { ...ending, ends: { graceSeconds: 1 } },
  },
  {
    title: 'both are ending in the same time: wait',
    pair: { virtual: deleting(running, 30), copy: deleting(copy, 30) },
    plan: { action: 'wait' },
  },
  {
    title: 'the copy ends sooner than was asked: wait',
    pair: { virtual: deleting(running, 30), copy: deleting(copy, 5) },
    plan: { action: 'wait' },
  },
  {
    title: 'the copy is gone: the virtual Pod goes at once',
    pair: { virtual: deleting(running, 30), copy: undefined },
    plan: { action: 'end', graceSeconds: 0 },
  },
  {
    title: 'deleted on the host: the virtual Pod is deleted with the same time',
    pair: { virtual: running, copy: deleting(copy, 20) },
    plan: { action: 'end', graceSeconds: 20 },
  },
  {
    title: 'deleted on the host by force: the virtual Pod is there until the copy is gone',
    pair: { virtual: running, copy: deleting(copy, 0) },
    plan: { action: 'end', graceSeconds: 1 },
  },
  {
    title: 'ran, and its copy is gone: the virtual Pod goes',
    pair: { virtual: running, copy: undefined },
    plan: { action: 'end', graceSeconds: 0 },
  },
  {
    title: 'is over, and its copy is gone: it stays and never runs again',
    pair: { virtual: succeeded, copy: undefined },
    plan: { action: 'nothing' },
  },
  {
    title: 'never ran: it gets a copy',
    pair: { virtual: pending, copy: undefined },
    plan: { action: 'create' },
  },
  {
    title: 'was given a node by its owner and never ran: it gets a copy',
    pair: { virtual: changed(pending, {}, { spec: { ...spec, nodeName: 'n1' } }), copy: undefined },
    plan: { action: 'create' },
  },
  {
    title: 'was made with the annotations of one that ran: it gets a copy',
    pair: { virtual: changed(pending, { annotations: { 'tenant.internal/ran-on': 'n1' } }), copy: undefined },
    plan: { action: 'create' },
  },
  {
    title: 'was made like that for the same node: it gets a copy',
    pair: {
      virtual: changed(
        pending,
        { annotations: { 'tenant.internal/ran-on': 'n1' } },
        { spec: { ...spec, nodeName: 'n1' } },
      ),
      copy: undefined,
    },
    plan: { action: 'create' },
  },
  {
    title: 'was given a node by another scheduler: it neither ends nor gets a copy',
    pair: { virtual: changed(running, { annotations: {} }), copy: undefined },
    plan: { action: 'leave out' },
  },
  {
    title: 'was made anew: the copy of the one before ends first',
    pair: { virtual: changed(pending, { uid: 'u2' }), copy },
    plan: { ...ending, ends: {} },
  },
  {
    title: 'was made anew while the copy of the one before ends: wait',
    pair: { virtual: changed(pending, { uid: 'u2' }), copy: deleting(copy, 30) },
    plan: { action: 'wait' },
  },
  {
    title: 'is gone: the copy ends in the time that it says itself',
    pair: { virtual: undefined, copy },
    plan: { ...ending, ends: {} },
  },
  {
    title: 'is gone while the copy ends: wait',
    pair: { virtual: undefined, copy: deleting(copy, 30) },
    plan: { action: 'wait' },
  },
  {
    title: 'waits for a scheduling gate: no copy',
    pair: { virtual: changed(pending, {}, { spec: { ...spec, schedulingGates: [{ name: 'x' }] } }), copy: undefined },
    plan: { action: 'leave out' },
  },
]

describe('the end of a Pod', () => {
  it.each(rows)('$title', async ({ pair, plan }) => {
    expect(await planned(pair, rules)).toMatchObject(plan)
  })

  it('reports the last status while both are ending', async () => {
    const exit = [{ name: 'main', state: { terminated: { exitCode: 7 } } }]
    const last = deleting(await copyIn({ phase: 'Failed', conditions: scheduled, containerStatuses: exit }), 30)
    const plan = await planned({ virtual: deleting(running, 30), copy: last }, rules)
    const status = { status: { phase: 'Failed', containerStatuses: exit } }
    expect(plan).toEqual<Plan>({ action: 'update', virtual: { status, isStatusAtVersion: true } })
  })

  it.each([
    ['a Pod that never ran', pending, false],
    ['a Pod that runs', running, true],
    ['a Pod that is over', succeeded, false],
    ['a Pod that is over and being deleted', deleting(succeeded, 1), true],
  ])('asks the host itself for the copy of %s: %s', (_title, virtual, isAsked) => {
    expect(needsConfirmation(virtual, podsSync)).toBe(isAsked)
  })

  it.each([
    ['one that never ran', pending, rules, true],
    [
      'one that waits for its gates',
      changed(pending, {}, { spec: { ...spec, schedulingGates: [{ name: 'a' }] } }),
      rules,
      false,
    ],
    ['one that is over', succeeded, rules, false],
    ['one that has run', running, rules, false],
    ['one that is being deleted', deleting(pending, 30), rules, false],
    ['one of a namespace that is not mapped', pending, elsewhere, false],
  ])(
    'of those without a copy, %s: what it needs is requested early only if it will get one',
    (_title, virtual, by, isCopied) => {
      expect(isToBeCopied(virtual, by)).toBe(isCopied)
    },
  )
})
