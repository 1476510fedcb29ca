import { describe, expect, it } from 'vitest'
import type { Pod } from '../../api/types/core-v1.ts'
import { PodAddresses } from './pod-addresses.ts'
import { type LifeStep, nextLifeStep } from './pod-life.ts'
import { completedStatus, debuggedStatus, readyStatus, runningStatus, stoppedStatus } from './pod-status.ts'
import type { SimulatedTimes } from './settings.ts'

type Part = Readonly<Record<string, unknown>>

const times: SimulatedTimes = { startMs: 1, readyMs: 2, runMs: 3, stopMs: 4_000 }
const nowMs = Date.parse('2030-01-01T00:00:00Z')

function podWith(spec: Part = {}, metadata: Part = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default', uid: 'u', ...metadata },
    spec: { restartPolicy: 'Always', containers: [{ name: 'c', image: 'i', resources: {} }], ...spec },
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  } as Pod
}

const running = (pod: Pod): Pod => ({ ...pod, status: runningStatus(pod, '10.244.0.2', nowMs) })
const ready = (pod: Pod): Pod => ({ ...pod, status: readyStatus(pod, nowMs) })
const deleting = (graceSeconds: number) => ({
  deletionTimestamp: '2030-01-01T00:00:30Z',
  deletionGracePeriodSeconds: graceSeconds,
})
const jobOwner = { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j', controller: true }] }
const once = { restartPolicy: 'Never' }
const sleeping = (text: string) => ({ containers: [{ name: 'c', image: 'i', command: text.split(' ') }] })
const debugged = { ephemeralContainers: [{ name: 'shell', image: 'i' }] }
const gate = { readinessGates: [{ conditionType: 'example.com/fed' }] }

describe('a Pod', () => {
  it.each<[string, Pod, LifeStep | undefined]>([
    ['that has come to the node starts', podWith(), { step: 'start', afterMs: 1 }],
    ['that runs becomes ready', running(podWith()), { step: 'ready', afterMs: 2 }],
    ['that is ready stays', ready(running(podWith())), undefined],
    ['that waits for a readiness gate stays', ready(running(podWith(gate))), undefined],
    [
      'that is debugged starts the ephemeral container',
      ready(running(podWith(debugged))),
      { step: 'debug', afterMs: 1 },
    ],
    ['of a Job ends', ready(running(podWith(once, jobOwner))), { step: 'complete', afterMs: 3 }],
    [
      'of a Job of a virtual cluster ends',
      ready(running(podWith(once, { labels: { 'tenant.internal/l-v5b91inptfz3g': 'j' } }))),
      { step: 'complete', afterMs: 3 },
    ],
    ...['sleep 90', 'sleep 2m', 'sleep 1d'].map((text): [string, Pod, LifeStep] => [
      `of a Job ends when its ${text} does`,
      ready(running(podWith({ ...once, ...sleeping(text) }, jobOwner))),
      { step: 'complete', afterMs: { 'sleep 90': 90_000, 'sleep 2m': 120_000 }[text] ?? 86_400_000 },
    ]),
    ...['sleep infinity', 'sleep 999999999999'].map((text): [string, Pod, undefined] => [
      `of a Job with ${text} goes on`,
      ready(running(podWith({ ...once, ...sleeping(text) }, jobOwner))),
      undefined,
    ]),
    ['that runs once for another reason stays', ready(running(podWith(once))), undefined],
    [
      'that has ended stays',
      { ...podWith(once, jobOwner), status: completedStatus(ready(running(podWith(once))), nowMs) },
      undefined,
    ],
    ['that is being deleted is removed', ready(running(podWith({}, deleting(30)))), { step: 'remove', afterMs: 4_000 }],
    [
      'that is being deleted is removed within its grace period',
      podWith({}, deleting(1)),
      { step: 'remove', afterMs: 1_000 },
    ],
    ['that only finalizers keep stays', podWith({}, deleting(0)), undefined],
  ])('%s', (_, pod, step) => {
    expect(nextLifeStep(pod, times)).toEqual(step)
  })

  it('becomes ready when its readiness gate opens', () => {
    const waiting = ready(running(podWith(gate)))
    expect(waiting.status.conditions).toContainEqual(
      expect.objectContaining({ type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' }),
    )
    const conditions = [...(waiting.status.conditions ?? []), { type: 'example.com/fed', status: 'True' }]
    const open = { ...waiting, status: { ...waiting.status, conditions } } as Pod
    expect(nextLifeStep(open, times)).toEqual({ step: 'ready', afterMs: 0 })
    expect(ready(open).status.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }))
  })

  it('runs its init containers first, and keeps its sidecars running', () => {
    const pod = podWith({ initContainers: [{ name: 'first' }, { name: 'beside', restartPolicy: 'Always' }] })
    expect(running(pod).status).toMatchObject({
      phase: 'Running',
      podIP: '10.244.0.2',
      qosClass: 'BestEffort',
      initContainerStatuses: [
        { name: 'first', ready: true, state: { terminated: { exitCode: 0 } } },
        { name: 'beside', ready: true, state: { running: {} } },
      ],
      containerStatuses: [{ name: 'c', ready: false, state: { running: {} }, containerID: 'simulated://u/c' }],
    })
  })

  it('runs an ephemeral container until its end', () => {
    const pod = ready(running(podWith({ ...once, ...debugged }, jobOwner)))
    const status = debuggedStatus(pod, nowMs)
    expect(status.ephemeralContainerStatuses).toMatchObject([{ name: 'shell', ready: false, state: { running: {} } }])
    expect(nextLifeStep({ ...pod, status }, times)).toEqual({ step: 'complete', afterMs: 3 })
    expect(completedStatus({ ...pod, status }, nowMs)).toMatchObject({
      ephemeralContainerStatuses: [{ name: 'shell', state: { terminated: { exitCode: 0 } } }],
    })
  })

  it('that is stopped has failed, and one that completes has succeeded', () => {
    const pod = ready(running(podWith(once)))
    expect(stoppedStatus(pod, nowMs)).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 143, reason: 'Error' } } }],
    })
    expect(completedStatus(pod, nowMs)).toMatchObject({
      phase: 'Succeeded',
      containerStatuses: [{ ready: false, state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
    })
  })
})

describe('addresses', () => {
  it('are unique to each Pod, and reused only when all others are taken', () => {
    const addresses = new PodAddresses('10.0.0.0/28')
    addresses.note('old', '10.0.0.3')
    const all = Array.from({ length: 12 }, (_, index) => addresses.take(`p${index}`))
    expect(new Set([...all, '10.0.0.3']).size).toBe(13)
    expect(addresses.take('p0')).toBe(all[0])
    expect(() => addresses.take('one more')).toThrow('All 13 addresses of 10.0.0.0/28 are taken')
    addresses.release('p5')
    expect(addresses.take('one more')).toBe(all[5])
  })
})
