import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../tests/support/strategy-steps.ts'
import type { KubeObject } from '../object.ts'
import { persistentVolumeClaim } from './persistent-volume-claim.ts'

const metadata = { name: 'c', namespace: 'a' }
const plain = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } }
const claim = { kind: 'PersistentVolumeClaim', name: 'x' }
/** As Kubernetes shows it. */
const shownClaim = { ...claim, apiGroup: null }
const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'x' }
const populator = { apiGroup: 'example.com', kind: 'Populator', name: 'x' }
const create = (spec: object) => previewCreate(persistentVolumeClaim, { metadata, spec: { ...plain, ...spec } })
const onlyOne = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
const fixedSpec =
  'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

describe('the data source of a PersistentVolumeClaim', () => {
  it.each([
    ['a claim', { dataSource: claim }, { dataSource: shownClaim, dataSourceRef: shownClaim }],
    ['a snapshot', { dataSource: snapshot }, { dataSource: snapshot, dataSourceRef: snapshot }],
    [
      'anything, in the newer member',
      { dataSourceRef: populator },
      { dataSource: populator, dataSourceRef: populator },
    ],
    ['nothing, if the older member never took it', { dataSource: populator }, {}],
    ['nothing, if it is of another namespace', { dataSourceRef: { ...claim, namespace: 'b' } }, {}],
  ])('is %s', (_, spec, expected) => {
    const created = create(spec)
    expect(errorTexts(created)).toEqual([])
    const { dataSource, dataSourceRef } = { dataSource: undefined, dataSourceRef: undefined, ...specOf(created.object) }
    expect({ dataSource, dataSourceRef }).toEqual({ dataSource: undefined, dataSourceRef: undefined, ...expected })
  })

  it.each([
    [
      { dataSource: { ...claim, name: '' } },
      ['spec.dataSource.name: Required value', 'spec.dataSourceRef.name: Required value'],
    ],
    [
      { dataSource: claim, dataSourceRef: { ...claim, name: 'y' } },
      ['spec: Invalid value: {"kind":"PersistentVolumeClaim","name":"x","apiGroup":null}: must match dataSourceRef'],
    ],
    [
      { dataSourceRef: { kind: 'Pod', name: 'x' } },
      [`spec.dataSource: Invalid value: "Pod": ${onlyOne}`, `spec.dataSourceRef: Invalid value: "Pod": ${onlyOne}`],
    ],
  ])('is refused for %j', (spec, errors) => {
    expect(errorTexts(create(spec))).toEqual(errors)
  })

  it('is a valid group', () => {
    const [first = ''] = errorTexts(create({ dataSourceRef: { ...populator, apiGroup: 'A_B' } }))
    expect(first).toContain('spec.dataSource.apiGroup: Invalid value: "A_B": a lowercase RFC 1123 subdomain')
  })

  it('is kept from clients that know one member alone', () => {
    const { object: old } = create({ dataSourceRef: populator })
    const changed = previewUpdate(persistentVolumeClaim, { metadata, spec: { ...plain, dataSource: populator } }, old)
    expect(errorTexts(changed)).toEqual([])
    expect(changed.object).toMatchObject({ spec: { dataSourceRef: populator } })
  })
})

describe('an existing PersistentVolumeClaim', () => {
  const update = (spec: object, changes: object, annotations = {}, olds = {}) => {
    const { object: old } = previewCreate(persistentVolumeClaim, {
      metadata: { ...metadata, annotations: olds },
      spec: { ...plain, ...spec },
    })
    const sent = { metadata: { ...metadata, annotations }, spec: { ...plain, ...spec, ...changes } }
    return errorTexts(previewUpdate(persistentVolumeClaim, sent, old))
  }
  const beta = 'volume.beta.kubernetes.io/storage-class'

  it('keeps its mode, which is told twice', () => {
    expect(update({ volumeMode: 'Block' }, { volumeMode: 'Filesystem' })).toEqual([
      fixedSpec,
      'volumeMode: Invalid value: "Filesystem": field is immutable',
    ])
  })

  it('gets a class once', () => {
    expect(update({}, { storageClassName: 'fast' })).toEqual([])
    expect(update({ storageClassName: 'slow' }, { storageClassName: 'fast' })).toEqual([fixedSpec])
  })

  it('has its class moved out of the annotation', () => {
    expect(update({}, { storageClassName: 'fast' }, {}, { [beta]: 'fast' })).toEqual([])
    expect(update({}, {}, { [beta]: 'slow' }, { [beta]: 'fast' })).toEqual([
      `metadata.annotations.${beta}: Invalid value: "slow": field is immutable`,
    ])
  })

  it('gets its errors once for the object and once for the change', () => {
    const wrong = 'spec.accessModes: Required value: at least 1 access mode is required'
    expect(update({}, { accessModes: [] }).filter((text) => text === wrong)).toHaveLength(2)
  })

  it.each([
    [
      { capacity: { storage: '-1' } },
      ['status.capacity[storage]: Invalid value: -1: must be a valid resource quantity'],
    ],
    [
      { capacity: { storage: '-500m' } },
      ['status.capacity[storage]: Invalid value: -1: must be a valid resource quantity'],
    ],
    [
      { allocatedResources: { storage: '-1Ki', cpu: '1' } },
      [
        'status.allocatedResources[storage]: Invalid value: -1024: must be a valid resource quantity',
        'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
      ],
    ],
    [{ capacity: { storage: '1Gi' }, allocatedResources: { 'example.com/x': '1' } }, []],
  ])('has its status validated: %j', (status, errors) => {
    const { object: old } = create({})
    const found = persistentVolumeClaim.strategy.validateStatusUpdate?.({ ...old, status }, old) ?? []
    expect(found.map(({ field, message }) => `${field}: ${message}`)).toEqual(errors)
  })
})

function specOf({ spec }: KubeObject): object {
  return typeof spec === 'object' && spec !== null ? spec : {}
}

describe('the columns of a PersistentVolumeClaim', () => {
  const shown = (phase: string) => {
    const status = { phase, capacity: { storage: '2Gi' }, accessModes: ['ReadWriteOnce'] }
    const object = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec: plain, status }
    return persistentVolumeClaim.columns?.slice(2, 5).map(({ value }) => value(object, 0))
  }

  it('say how large a volume is that has no name in a virtual cluster', () => {
    expect(shown('Bound')).toEqual(['', '2Gi', 'RWO'])
  })

  it('say nothing of a volume that is not there', () => {
    expect(shown('Pending')).toEqual(['', '', ''])
  })
})
