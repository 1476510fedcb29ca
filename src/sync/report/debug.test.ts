import { describe, expect, it } from 'vitest'
import { StateTable } from '../run/states.ts'
import { debugRun } from './debug.ts'

const ingresses = {
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'ingresses',
  kind: 'Ingress',
  namespaced: true,
  hasStatus: true,
}

function running(isSettled: boolean) {
  let nowMs = 0
  const states = new StateTable({ now: () => nowMs })
  states.set('default/web', 'in-step')
  nowMs = 5_000
  states.set('default/web', 'failing', { reason: 'WriteRefused', message: 'no' })
  states.wrote('default/web', { side: 'host', verb: 'update', atMs: 0 })
  states.set('default/api', 'in-step', { reason: 'DroppedByPolicy', message: 'less' }, 2)
  const atOnce = () => Promise.resolve()
  const progress = { states, length: 2, isSettled, whenSettled: atOnce, whenIdle: atOnce }
  return { progress, trouble: undefined, stop: atOnce }
}

describe('the /debug/sync report about a kind', () => {
  const types = { virtual: ingresses, host: ingresses }

  it('contains how it is served, its state, and each of its objects', () => {
    const inStepSince = '1970-01-01T00:00:05.000Z'
    expect(debugRun('ingresses', { running: running(true), absence: undefined, types })).toEqual({
      kind: 'ingresses',
      group: 'networking.k8s.io',
      version: 'v1',
      resource: 'ingresses',
      state: 'running',
      counts: { 'in-step': 1, waiting: 0, failing: 1 },
      queueLength: 2,
      restricted: 1,
      objects: [
        {
          name: 'default/web',
          state: 'failing',
          reason: 'WriteRefused',
          message: 'no',
          lastInStep: '1970-01-01T00:00:05.000Z',
          lastWrite: { side: 'host', verb: 'update', at: '1970-01-01T00:00:00.000Z' },
        },
        { name: 'default/api', state: 'in-step', reason: 'DroppedByPolicy', message: 'less', refused: 2, inStepSince },
      ],
    })
  })

  it.each([
    ['starting', { running: undefined, absence: undefined, types: undefined }],
    ['starting', { running: running(false), absence: undefined, types }],
    ['not served', { running: undefined, absence: 'the host does not serve it', types: undefined }],
  ])('says that it is %s', (state, run) => {
    expect(debugRun('ingresses', run)).toMatchObject({ state })
  })

  it('has no group, version and resource while they are unknown', () => {
    const unknown = debugRun('widgets', { running: undefined, absence: 'not served', types: undefined })
    for (const member of ['group', 'version', 'resource']) expect(unknown).not.toHaveProperty(member)
  })
})
