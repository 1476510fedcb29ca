import { expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../../tests/support/strategy-steps.ts'
import { persistentVolume } from './persistent-volume.ts'

const metadata = { name: 'v' }
const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/d' } }

it('an update of a PersistentVolume reports each error twice, as Kubernetes does', () => {
  const { object: old } = previewCreate(persistentVolume, { metadata, spec })
  const burnt = { metadata, spec: { ...spec, persistentVolumeReclaimPolicy: 'Burn' } }
  const wrong =
    'spec.persistentVolumeReclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Recycle", "Retain"'
  expect(errorTexts(previewUpdate(persistentVolume, burnt, old))).toEqual([wrong, wrong])
})

it('the CSI driver of a PersistentVolume is a DNS subdomain that may contain capital letters', () => {
  const problemsOf = (driver: string) => {
    const { hostPath: _, ...rest } = spec
    return errorTexts(
      previewCreate(persistentVolume, { metadata, spec: { ...rest, csi: { driver, volumeHandle: 'h' } } }),
    )
  }
  expect(problemsOf('Example.com')).toEqual([])
  expect(problemsOf('')).toEqual([
    'spec.csi.driver: Required value',
    expect.stringContaining('spec.csi.driver: Invalid value: "": a lowercase RFC 1123 subdomain'),
  ])
  expect(problemsOf('a'.repeat(64))).toEqual(['spec.csi.driver: Too long: may not be more than 63 bytes'])
})

const { hostPath: _, ...bare } = spec
const affinity = (key: string) => ({
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: ['a'] }] }] },
})

it.each<[object, readonly string[]]>([
  [
    { hostPath: { path: '/x', type: 'Odd' } },
    [expect.stringContaining('spec.hostPath.type: Unsupported value: "Odd"')],
  ],
  [
    { nfs: { server: 's', path: '/p' }, nodeAffinity: {} },
    ['spec.nodeAffinity.required: Required value: must specify required node constraints'],
  ],
  [{ local: { path: '/p' } }, ['spec.nodeAffinity: Required value: Local volume requires node affinity']],
  [{ nfs: { server: 's', path: '/p' }, flexVolume: { driver: '' } }, ['spec.flexVolume.driver: Required value']],
  [
    { cephfs: { monitors: ['m'] }, hostPath: { path: '/x' } },
    ['spec.cephFS: Forbidden: may not specify more than 1 volume type'],
  ],
  [
    { hostPath: { path: '/a/..' }, persistentVolumeReclaimPolicy: 'Recycle' },
    [
      'spec.hostPath.path: Invalid value: "/a/..": must not contain \'..\'',
      "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
    ],
  ],
  [
    { csi: { driver: 'd', volumeHandle: 'h', nodeExpandSecretRef: { name: 'A' } } },
    [
      expect.stringContaining('spec.csi.nodeExpandSecretRef.name: Invalid value: "A"'),
      'spec.csi.nodeExpandSecretRef.namespace: Required value',
    ],
  ],
  [{ iscsi: { targetPortal: 't', iqn: 'x', lun: 0 } }, ['spec.iscsi.iqn: Invalid value: "x": must be valid format']],
  [
    { glusterfs: { endpoints: 'e', path: 'p', endpointsNamespace: '' } },
    [
      'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
    ],
  ],
  [
    { hostPath: { path: '/x' }, accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
    ['spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes'],
  ],
  [{ hostPath: { path: '/x' }, accessModes: ['ReadWriteOncePod', 'ReadWriteOncePod'] }, []],
])('a PersistentVolume is refused for %j', (part, expected) => {
  expect(errorTexts(previewCreate(persistentVolume, { metadata, spec: { ...bare, ...part } }))).toEqual(expected)
})

it('a PersistentVolume gets the defaults of its driver, and loses volumeAttributesClassName', () => {
  const { object } = previewCreate(persistentVolume, {
    metadata,
    spec: { ...bare, volumeAttributesClassName: 'x', rbd: { monitors: ['m'], image: 'i' } },
  })
  expect(object.spec).toMatchObject({ rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } })
  expect(object.spec).not.toHaveProperty('volumeAttributesClassName')
})

it('a PersistentVolume may switch to the current topology label and add a secret for expansion', () => {
  const changes = (before: object, after: object) => {
    const { object: old } = previewCreate(persistentVolume, { metadata, spec: { ...bare, ...before } })
    return errorTexts(previewUpdate(persistentVolume, { metadata, spec: { ...bare, ...before, ...after } }, old))
  }
  const csi = { driver: 'd', volumeHandle: 'h' }
  const beta = { csi, nodeAffinity: affinity('failure-domain.beta.kubernetes.io/zone') }
  expect(changes(beta, { nodeAffinity: affinity('topology.kubernetes.io/zone') })).toEqual([])
  expect(changes(beta, { nodeAffinity: affinity('other') })).toEqual([
    expect.stringContaining('nodeAffinity: Invalid value'),
  ])
  const controllerExpandSecretRef = { name: 's', namespace: 'n' }
  expect(changes({ csi }, { csi: { ...csi, controllerExpandSecretRef } })).toEqual([])
  expect(changes({ csi: { ...csi, controllerExpandSecretRef } }, { csi })).toHaveLength(1)
})
