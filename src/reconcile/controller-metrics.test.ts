import { expect, it } from 'vitest'
import { ControllerMetrics } from './controller-metrics.ts'
import { Reconciler } from './reconciler.ts'

function linesOf(metrics: ControllerMetrics, start: string): readonly string[] {
  const lines = metrics.render().split('\n')
  return lines.filter((line) => line.startsWith(start))
}

it('counts runs by their result, and requeued names', async () => {
  const metrics = new ControllerMetrics()
  const outcomes = ['again', 'done', new Error('no'), 'done'] as const
  let looks = 0
  const loop = new Reconciler({
    reconcile: async () => {
      const outcome = outcomes[looks++] ?? 'done'
      if (outcome instanceof Error) throw outcome
      return outcome
    },
    failed: () => {},
    workers: 1,
    measured: { metrics, name: 'example-controller' },
  })
  for (const name of ['a', 'b', 'c']) loop.add(name)
  expect(linesOf(metrics, 'workqueue_depth{')).toEqual(['workqueue_depth{name="example-controller"} 2'])
  await loop.whenIdle()
  await loop.stop()
  expect(linesOf(metrics, 'controller_runtime_reconcile_total{')).toEqual([
    'controller_runtime_reconcile_total{controller="example-controller",result="success"} 2',
    'controller_runtime_reconcile_total{controller="example-controller",result="requeue"} 1',
    'controller_runtime_reconcile_total{controller="example-controller",result="error"} 1',
  ])
  expect(linesOf(metrics, 'workqueue_retries_total{')).toEqual(['workqueue_retries_total{name="example-controller"} 1'])
  expect(linesOf(metrics, 'workqueue_work_duration_seconds_count')).toEqual([
    'workqueue_work_duration_seconds_count{name="example-controller"} 4',
  ])
})

it('continues the counts with the loop of the next term, and forgets what waited in the previous one', async () => {
  const metrics = new ControllerMetrics()
  const first = metrics.open('example-controller', () => 7)
  first.reconciled('success', 1)
  first.close()
  const second = metrics.open('example-controller', () => 2)
  second.reconciled('success', 1)
  expect(linesOf(metrics, 'workqueue_depth{')).toEqual(['workqueue_depth{name="example-controller"} 2'])
  expect(linesOf(metrics, 'controller_runtime_reconcile_total{')[0]).toMatch(/ 2$/)
})

it('reports which leases this replica holds', () => {
  const metrics = new ControllerMetrics()
  metrics.setLeading('one', true)
  metrics.setLeading('two', true)
  metrics.setLeading('two', false)
  expect(linesOf(metrics, 'leader_election_master_status{')).toEqual([
    'leader_election_master_status{name="one"} 1',
    'leader_election_master_status{name="two"} 0',
  ])
})
