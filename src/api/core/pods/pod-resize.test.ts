import { describe, expect, it } from 'vitest'
import type { Pod } from '../../types/core-v1.ts'
import { pod } from './pod.ts'
import { validateResize } from './pod-resize.ts'

type Amounts = Readonly<Record<string, string>>

function podOf(requests: Amounts, limits: Amounts = {}, fields: object = {}): Pod {
  const resources = { requests, limits }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
    spec: {
      containers: [{ name: 'main', image: 'app:1', resources, ...fields }],
      initContainers: [{ name: 'init', image: 'app:1', resources: {} }],
    },
    status: {},
  }
}

const before = podOf({ cpu: '100m', memory: '1Mi' }, { cpu: '1' })

function resized(sent: Pod) {
  const after = pod.partialUpdates?.resize?.apply(sent, before)
  if (after === undefined) throw new Error('pods have no resize')
  return { after: after as Pod, errors: pod.partialUpdates?.resize?.validate?.(after, before) ?? [] }
}

describe('resize of a Pod', () => {
  it('changes only the resources of containers', () => {
    const sent = podOf({ cpu: '200m', memory: '1Mi' }, { cpu: '1' }, { image: 'evil:1' })
    const { after, errors } = resized({ ...sent, metadata: { ...sent.metadata, labels: { app: 'other' } } })
    expect(errors).toEqual([])
    expect(after).toEqual(podOf({ cpu: '200m', memory: '1Mi' }, { cpu: '1' }))
  })

  it.each([
    ['no request', podOf({ cpu: '100m' }, { cpu: '1' }), 'resource requests cannot be removed'],
    ['no limit', podOf({ cpu: '100m', memory: '1Mi' }), 'resource limits cannot be removed'],
    ['storage', podOf({ cpu: '100m', memory: '1Mi', 'ephemeral-storage': '1' }, { cpu: '1' }), 'only cpu and memory'],
  ])('refuses %s', (_what, sent, message) => {
    expect(
      resized(sent)
        .errors.map((error) => JSON.stringify(error))
        .join(),
    ).toContain(message)
  })

  it('refuses another QoS class', () => {
    const single = (pod: Pod): Pod => ({ ...pod, spec: { ...pod.spec, initContainers: [] } })
    const fixed = single(podOf({ cpu: '1', memory: '1Mi' }, { cpu: '1', memory: '1Mi' }))
    expect(JSON.stringify(validateResize(fixed, single(before)))).toContain('QOS Class may not change')
  })

  it('refuses an init container that is not a sidecar', () => {
    const sent = {
      ...before,
      spec: { ...before.spec, initContainers: [{ name: 'init', resources: { requests: { cpu: '1' } } }] },
    }
    expect(JSON.stringify(resized(sent).errors)).toContain('non-sidecar init containers')
  })
})
