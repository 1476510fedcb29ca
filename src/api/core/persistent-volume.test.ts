import { expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../tests/support/strategy-steps.ts'
import { persistentVolume } from './persistent-volume.ts'

const metadata = { name: 'v' }
const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/d' } }

it('a changed PersistentVolume is told once for the object and once for the change what is wrong with it', () => {
  const { object: old } = previewCreate(persistentVolume, { metadata, spec })
  const burnt = { metadata, spec: { ...spec, persistentVolumeReclaimPolicy: 'Burn' } }
  const wrong =
    'spec.persistentVolumeReclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Recycle", "Retain"'
  expect(errorTexts(previewUpdate(persistentVolume, burnt, old))).toEqual([wrong, wrong])
})

it('a PersistentVolume of CSI has a driver, which is a subdomain but for capital letters', () => {
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
