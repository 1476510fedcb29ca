import { expect, it } from 'vitest'
import { daemonNodeFrom } from '../../src/controllers/daemon-set/daemon-node.ts'
import { OwnedObjects } from '../../src/controllers/ownership/owned-objects.ts'
import { PodCollector } from '../../src/controllers/pod-collector/pod-collector.ts'
import { podFactsFrom } from '../../src/controllers/pods/pod-facts.ts'
import { eventually } from '../support/eventually.ts'
import { writeRequest } from '../support/registry.ts'
import { place, shell, template, useWorkloads } from './workload-world.ts'

const w = useWorkloads()
const { create, storeOdd, setStatus, objects, names, contextOf } = w

it('the oldest finished Pods beyond the limit are deleted', async () => {
  for (const name of ['a', 'b', 'c', 'd']) {
    await create('pods', { ...shell('v1', 'Pod'), metadata: { name, namespace: place }, spec: template.spec })
    w.world.clock.advance(1_000)
  }
  for (const name of ['d', 'c', 'a']) await setStatus(name, { phase: 'Failed' })
  const pods = contextOf('', 'Pod')
  const podsKnown = new OwnedObjects({ context: pods, read: podFactsFrom, unreadable: () => {} })
  await podsKnown.loaded
  const ended = new PodCollector({
    pods,
    podsKnown,
    report: w.reportFailure,
    mayWrite: () => true,
    most: 1,
    intervalMs: 5,
  })
  await eventually(() => expect(names('', 'Pod')).toEqual(['b', 'd']))
  await ended.stop()
  podsKnown.stop()
})

it('Pods of a missing node fail and are deleted after a while', async () => {
  const finalizers = ['example.com/look-first']
  const pods = contextOf('', 'Pod')
  await create('nodes', { ...shell('v1', 'Node'), metadata: { name: 'there' } })
  await storeOdd('unreadable', contextOf('', 'Node'), '')
  for (const [name, nodeName] of [
    ['a-refused', 'gone'],
    ['b-unreadable', 'unreadable'],
    ['held', 'gone'],
    ['kept', 'there'],
    ['lost', 'gone'],
  ] as const) {
    const metadata = { name, namespace: place, ...(name === 'held' && { finalizers }) }
    await create('pods', { ...shell('v1', 'Pod'), metadata, spec: { ...template.spec, nodeName } })
    await setStatus(name, { phase: 'Running' })
  }
  const podsKnown = new OwnedObjects({ context: pods, read: podFactsFrom, unreadable: () => {} })
  const nodesKnown = new OwnedObjects({ context: contextOf('', 'Node'), read: daemonNodeFrom, unreadable: () => {} })
  await Promise.all([podsKnown.loaded, nodesKnown.loaded])
  const shared = { pods, podsKnown, nodesKnown, report: w.reportFailure, mayWrite: () => true }
  const collector = new PodCollector({ ...shared, intervalMs: 5 })
  const sweeps = () =>
    /workqueue_work_duration_seconds_count\{name="pod-garbage-collector"\} (\d+)/.exec(
      w.world.registry.engine.metrics.render(),
    )?.[1]
  await eventually(() => expect(Number(sweeps())).toBeGreaterThan(2))
  expect(names('', 'Pod')).toEqual(['a-refused', 'b-unreadable', 'held', 'kept', 'lost'])
  w.rules.refused = 'a-refused'
  w.world.clock.advance(40_000)
  await eventually(() => expect(names('', 'Pod')).toEqual(['a-refused', 'b-unreadable', 'held', 'kept']))
  expect(objects('', 'Pod').map(({ status }) => status)).toMatchObject([
    { phase: 'Running' },
    { phase: 'Running' },
    { phase: 'Failed', conditions: [{ type: 'DisruptionTarget', reason: 'DeletionByPodGC' }] },
    { phase: 'Running' },
  ])
  await collector.stop()
  // The controllers that read Nodes report the one that cannot be read.
  for (const failure of w.failures.splice(0)) expect(failure).toBeInstanceOf(TypeError)
  for (const known of [podsKnown, nodesKnown]) known.stop()
})

it('a Pod deleted before it was scheduled has failed, as its finalizers can see', async () => {
  const pods = contextOf('', 'Pod')
  const metadata = { name: 'held', namespace: place, finalizers: ['example.com/look-first'] }
  await create('pods', { ...shell('v1', 'Pod'), metadata, spec: template.spec })
  await w.world.resource('pods').delete({ namespace: place, name: 'held' }, { dryRun: false }, writeRequest())
  const podsKnown = new OwnedObjects({ context: pods, read: podFactsFrom, unreadable: () => {} })
  const nodesKnown = new OwnedObjects({ context: contextOf('', 'Node'), read: daemonNodeFrom, unreadable: () => {} })
  await Promise.all([podsKnown.loaded, nodesKnown.loaded])
  const shared = { pods, podsKnown, nodesKnown, report: w.reportFailure, mayWrite: () => true }
  const collector = new PodCollector({ ...shared, intervalMs: 5 })
  await eventually(() => expect(objects('', 'Pod')).toMatchObject([{ status: { phase: 'Failed' } }]))
  expect(objects('', 'Pod')[0]?.status).not.toHaveProperty('conditions')
  await collector.stop()
  podsKnown.stop()
  nodesKnown.stop()
})
