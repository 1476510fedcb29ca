import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../../tests/support/strategy-steps.ts'
import type { KubeObject } from '../../object.ts'
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

  it('is kept when a client sends only dataSource', () => {
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

  it('cannot change its volume mode, and reports it twice as Kubernetes does', () => {
    expect(update({ volumeMode: 'Block' }, { volumeMode: 'Filesystem' })).toEqual([
      fixedSpec,
      'volumeMode: Invalid value: "Filesystem": field is immutable',
    ])
  })

  it('can get a storage class once', () => {
    expect(update({}, { storageClassName: 'fast' })).toEqual([])
    expect(update({ storageClassName: 'slow' }, { storageClassName: 'fast' })).toEqual([fixedSpec])
  })

  it('may move its storage class from the annotation to the field', () => {
    expect(update({}, { storageClassName: 'fast' }, {}, { [beta]: 'fast' })).toEqual([])
    expect(update({}, {}, { [beta]: 'slow' }, { [beta]: 'fast' })).toEqual([
      `metadata.annotations.${beta}: Invalid value: "slow": field is immutable`,
    ])
  })

  it('reports each error twice on an update, as Kubernetes does', () => {
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

  it('show the capacity of a volume without a name in the virtual cluster', () => {
    expect(shown('Bound')).toEqual(['', '2Gi', 'RWO'])
  })

  it('show a claim that names a volume of a capacity that is not known yet', () => {
    const object = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: { ...plain, volumeName: 'v' },
      status: {},
    }
    expect(persistentVolumeClaim.columns?.slice(2, 5).map(({ value }) => value(object, 0))).toEqual(['v', '0', ''])
  })

  it('are empty for a missing volume', () => {
    expect(shown('Pending')).toEqual(['', '', ''])
  })
})
