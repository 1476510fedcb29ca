import { expect, it } from 'vitest'
import { previewCreate, previewUpdate } from '../../../tests/support/strategy-steps.ts'
import { csiDriver } from './csi-driver.ts'

it('the generation of a CSIDriver counts updates, but not its creation', () => {
  const metadata = { name: 'd.example.com' }
  const { object: created } = previewCreate(csiDriver, { metadata, spec: {} })
  expect(created.metadata.generation).toBeUndefined()
  const same = previewUpdate(csiDriver, { metadata, spec: {} }, created)
  expect(same.object.metadata.generation).toBeUndefined()
  const changed = previewUpdate(csiDriver, { metadata, spec: { storageCapacity: true } }, created)
  expect(changed.object.metadata.generation).toBe(1)
  const again = previewUpdate(csiDriver, { metadata, spec: {} }, changed.object)
  expect(again.object.metadata.generation).toBe(2)
})
