import { describe, expect, it } from 'vitest'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { limitFromConfig, limitOfMachine } from './content-limit.ts'

describe('the storage limit of a virtual cluster', () => {
  it('exists without any configuration', () => {
    const { most, advice } = limitFromConfig(effectiveConfig({}).controlPlane.storage)
    expect(most).toEqual({ objects: 50_000, bytes: 512 * 1024 * 1024 })
    expect(advice).toContain('controlPlane.storage.maxObjects')
  })

  it('is that of its configuration', () => {
    const storage = { maxObjects: 1_000, maxTotalSize: '1.5G' }
    const { most } = limitFromConfig(effectiveConfig({ controlPlane: { storage } }).controlPlane.storage)
    expect(most).toEqual({ objects: 1_000, bytes: 1_500_000_000 })
  })

  it('is that of the machine if several share it', () => {
    const most = { objects: 20_000, bytes: 1_000 }
    expect(limitOfMachine(most)).toEqual({ most, advice: expect.stringContaining('--max-objects-per-virtual-cluster') })
  })
})
