import { describe, expect, it } from 'vitest'
import type { Volume } from '../../types/core-v1.ts'
import { validateVolumes } from './volume-validation.ts'

const textsOf = (source: object, name = 'v', pod = 'p') =>
  validateVolumes('volumes', [{ name, ...source } as Volume], pod).errors.map(
    ({ field, message }) => `${field.replace('volumes[0].', '')}: ${message}`,
  )

const mode = 'must be a number between 0 and 0777 (octal), both inclusive'
const iqn = 'must be valid format starting with iqn, eui, or naa'

describe('a source of a volume', () => {
  it.each<[object, readonly string[]]>([
    [{ configMap: {} }, ['configMap.name: Required value']],
    [
      { secret: { defaultMode: 512, items: [{ key: '', path: '../x' }] } },
      [
        'secret.secretName: Required value',
        `secret.defaultMode: Invalid value: 512: ${mode}`,
        'secret.items[0].key: Required value',
        'secret.items[0].path: Invalid value: "../x": must not contain \'..\'',
      ],
    ],
    [
      { nfs: { server: '', path: '' } },
      [
        'nfs.server: Required value',
        'nfs.path: Required value',
        'nfs.path: Invalid value: "": must be an absolute path',
      ],
    ],
    [
      { iscsi: { targetPortal: '', iqn: 'x', lun: 256, chapAuthSession: true, initiatorName: 'iqn.x' } },
      [
        'iscsi.targetPortal: Required value',
        `iscsi.iqn: Invalid value: "x": ${iqn}`,
        'iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
        'iscsi.secretRef: Required value',
        'iscsi.initiatorname: Invalid value: "iqn.x": must be valid format',
      ],
    ],
    [{ iscsi: { targetPortal: 't', iqn: 'iqn.2000-01.com.x:y', lun: 0 } }, []],
    [
      { iscsi: { targetPortal: 't', iqn: 'iqn.2000-01.com.x:y ', lun: 0 } },
      ['iscsi.iqn: Invalid value: "iqn.2000-01.com.x:y ": must be valid format'],
    ],
    [
      { gcePersistentDisk: { pdName: '', partition: 300 } },
      [
        'persistentDisk.pdName: Required value',
        'persistentDisk.partition: Invalid value: 300: must be between 1 and 255, inclusive',
      ],
    ],
    [{ rbd: { monitors: null, image: '' } }, ['rbd.monitors: Required value', 'rbd.image: Required value']],
    [{ fc: {} }, ['fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both']],
    [{ fc: { targetWWNs: ['a'] } }, ['fc.lun: Required value: lun is required if targetWWNs is specified']],
    [{ flocker: {} }, ['flocker: Required value: one of datasetName and datasetUUID is required']],
    [
      { quobyte: { registry: 'a:1,b', volume: 'v' } },
      ['quobyte.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas'],
    ],
    [{ quobyte: { registry: '[::1]:7861', volume: 'v' } }, []],
    [
      { flexVolume: { driver: 'd', options: { 'x.k8s.io/a': '' } } },
      ['flexVolume.options[x.k8s.io/a]: Invalid value: "x.k8s.io/a": kubernetes.io and k8s.io namespaces are reserved'],
    ],
    [
      { azureDisk: { diskName: 'd', diskURI: 'x', cachingMode: 'Some', kind: 'Managed' } },
      [
        'azureDisk.cachingMode: Unsupported value: "Some": supported values: "None", "ReadOnly", "ReadWrite"',
        'azureDisk.diskURI: Unsupported value: "x": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
      ],
    ],
    [{ csi: { driver: 'd', nodePublishSecretRef: {} } }, ['csi.nodePublishSecretRef.name: Required value']],
    [
      { emptyDir: { sizeLimit: '-1' } },
      ['emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity'],
    ],
    [
      { gitRepo: { repository: '', directory: '/x' } },
      ['gitRepo.repository: Required value', 'gitRepo.directory: Invalid value: "/x": must be a relative path'],
    ],
    [{ ephemeral: {} }, ['ephemeral.volumeClaimTemplate: Required value']],
    [
      {
        downwardAPI: {
          items: [{ path: '..x' }, { path: 'y', fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } }],
        },
      },
      [
        'downwardAPI.path: Invalid value: "..x": must not start with \'..\'',
        'downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
        'downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
      ],
    ],
  ])('is complete: %j', (source, expected) => {
    expect(textsOf(source)).toEqual(expected)
  })

  it('prints a repeated error once, however many paths conflict', () => {
    const items = Array.from({ length: 1_000 }, () => ({ key: 'k', path: 'a' }))
    const volume: Volume = { name: 'v', projected: { sources: [{ secret: { name: '"'.repeat(10_000), items } }] } }
    const { errors } = validateVolumes('volumes', [volume])
    expect(errors).toHaveLength(999)
    expect(new Set(errors).size).toBe(1)
  })

  it('has unique projected paths, and one type for each projection', () => {
    const items = [{ key: 'k', path: 'a' }]
    const sources = [
      { secret: { name: 's', items } },
      { configMap: { name: 'c', items }, downwardAPI: {} },
      { serviceAccountToken: { path: '', expirationSeconds: 5 } },
    ]
    expect(textsOf({ projected: { sources } })).toEqual([
      'projected: Invalid value: "c": conflicting duplicate paths',
      'projected.sources[1]: Forbidden: may not specify more than 1 volume type per source',
      'projected.sources[2].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
      'projected.path: Required value',
    ])
  })

  it('that is an ephemeral claim has a valid name, and only labels and annotations as metadata', () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    const metadata = { name: 'x', uid: 'u', labels: { a: 'b' } }
    expect(textsOf({ ephemeral: { volumeClaimTemplate: { metadata, spec } } })).toEqual([
      'ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
      'ephemeral.volumeClaimTemplate.metadata.uID: Forbidden: cannot be set',
    ])
    const long = 'p'.repeat(253)
    expect(textsOf({ ephemeral: { volumeClaimTemplate: { metadata: {}, spec } } }, 'v', long)).toEqual([
      `name: Invalid value: "v": PVC name "${long}-v": must be no more than 253 characters`,
    ])
  })

  it('validates an iSCSI name in linear time', () => {
    const hostile = 'iqn.2000-01.'.repeat(100_000)
    expect(textsOf({ iscsi: { targetPortal: 't', iqn: hostile, lun: 0 } })).toHaveLength(1)
  })
})

it('containers cannot mount a refused volume, and an ephemeral claim does not count as a claim of the Pod', () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  const { errors, usable } = validateVolumes(
    'volumes',
    [
      { name: 'a', configMap: {} },
      { name: 'b', emptyDir: {} },
      { name: 'e', ephemeral: { volumeClaimTemplate: { apiVersion: '', kind: '', metadata: {}, spec } } },
      { name: 'c', persistentVolumeClaim: { claimName: 'p-e' } },
    ],
    'p',
  )
  expect([...usable.keys()]).toEqual(['b', 'e', 'c'])
  expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'volumes[0].configMap.name: Required value',
    'volumes[3].persistentVolumeClaim.claimName: Invalid value: "p-e": must not reference a PVC that gets created for an ephemeral volume',
  ])
})
