import { describe, expect, it } from 'vitest'
import { previewCreate, previewUpdate } from '../../../../tests/support/strategy-steps.ts'
import { pod } from './pod.ts'

const container = { name: 'c', image: 'i:1' }

describe('an existing Pod', () => {
  const metadata = { name: 'p', namespace: 'n' }
  const update = (before: object, after: object, annotations = {}) => {
    const { object: old } = previewCreate(pod, { metadata, spec: { containers: [container], ...before } })
    const sent = { metadata: { ...metadata, annotations }, spec: { containers: [container], ...before, ...after } }
    return pod.strategy
      .validateUpdate?.(previewUpdate(pod, sent, old).object, old)
      .map(({ field, message }) => `${field}: ${message}`)
  }
  const gated = { schedulingGates: [{ name: 'g' }], nodeSelector: { a: 'b' } }

  it('may get stricter scheduling rules while it is gated', () => {
    expect(update(gated, { nodeSelector: { a: 'b', c: 'd' } })).toEqual([])
    expect(update(gated, { nodeSelector: { c: 'd' } })).toEqual([
      'spec.nodeSelector: Invalid value: map[string]string{"c":"d"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ])
    expect(update({}, { nodeSelector: { c: 'd' } })).toEqual([
      expect.stringContaining('spec: Forbidden: pod updates may not change'),
    ])
  })

  it('cannot get new scheduling gates', () => {
    expect(update(gated, { schedulingGates: [{ name: 'g' }, { name: 'h' }] })).toEqual([
      "spec.schedulingGates[1].name: Forbidden: only deletion is allowed, but found new scheduling gate 'h'",
    ])
  })

  it('keeps the fields that only its node may set', () => {
    expect(update({ nodeName: 'n' }, {}, { 'kubernetes.io/config.mirror': 'x' })).toEqual([
      'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not add mirror pod annotation',
    ])
  })

  it('accepts a status even if an earlier version stored an invalid spec', () => {
    const { object: old } = previewCreate(pod, { metadata, spec: { containers: [container] } })
    const broken = { ...old, spec: { ...(old.spec as object), volumes: [{ name: 'v', configMap: {} }] } }
    expect(pod.strategy.validate?.(broken, broken)).toEqual([])
    expect(pod.strategy.validate?.(broken, old)).toHaveLength(1)
  })

  it('keeps annotations that an earlier version allowed', () => {
    const { object } = previewCreate(pod, { metadata, spec: { containers: [container] } })
    const annotated = (annotations: Readonly<Record<string, string>>) => ({
      ...object,
      metadata: { ...object.metadata, annotations },
    })
    const known = { 'container.apparmor.security.beta.kubernetes.io/gone': 'unconfined' }
    const wrong = { 'controller.kubernetes.io/pod-deletion-cost': 'x' }
    const old = annotated(known)
    for (const validate of [pod.strategy.validateUpdate, pod.strategy.validateStatusUpdate]) {
      expect(validate?.(annotated({ ...known, a: 'b' }), old)).toEqual([])
      expect(validate?.(annotated({ ...known, ...wrong }), old)).toHaveLength(1)
    }
  })

  it.each<[object, object, readonly string[]]>([
    [
      {},
      { podIPs: [{ ip: '1.1.1.1' }, { ip: '1.1.1.1' }] },
      [
        'status.podIPs: Invalid value: []core.PodIP{core.PodIP{IP:"1.1.1.1"}, core.PodIP{IP:"1.1.1.1"}}: may specify no more than one IP for each IP family',
        'status.podIPs[1]: Duplicate value: {"ip":"1.1.1.1"}',
      ],
    ],
    [
      {},
      { hostIP: '1.1.1.1', hostIPs: [{ ip: '1.1.1.2' }] },
      ['status.hostIPs[0].ip: Invalid value: "1.1.1.2": must be equal to `hostIP`'],
    ],
    [{}, { podIPs: [{ ip: '1.1.1.1' }, { ip: '::1' }], conditions: [{ type: 'Ready' }, { type: 'x/y' }] }, []],
    [
      {},
      { conditions: [{ type: '' }] },
      expect.arrayContaining(['metadata.conditions[0].Type: Invalid value: "": name part must be non-empty']),
    ],
    [{}, { nominatedNodeName: 'A' }, [expect.stringContaining('status.nominatedNodeName: Invalid value: "A"')]],
    [
      { containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 0 } } }] },
      { containerStatuses: [{ name: 'c', state: { running: {} } }] },
      ['status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state'],
    ],
  ])('has a valid change of status from %j: %j', (before, after, expected) => {
    const { object } = previewCreate(pod, { metadata, spec: { containers: [container], restartPolicy: 'Never' } })
    const [old, now] = [before, after].map((status) => ({
      ...object,
      status: { ...(object.status as object), ...status },
    }))
    if (old === undefined || now === undefined) throw new Error('there are two')
    const found = pod.strategy.validateStatusUpdate?.(now, old) ?? []
    expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(expected)
  })
})
