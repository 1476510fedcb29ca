import { parseQuantity } from '../../api/quantity.ts'
import type { StorageConfig } from '../../api/tenant-config/types.ts'
import type { Amount } from '../../registry/quota/ledger.ts'

/** How much a virtual cluster may store, and who may change that. */
export interface ContentLimit {
  readonly most: Amount
  readonly advice: string
}

/** For all virtual clusters of one machine, whatever their configurations say. */
export function limitOfMachine(most: Amount): ContentLimit {
  return { most, advice: adviceTo('--max-objects-per-virtual-cluster or --max-storage-per-virtual-cluster') }
}

export function limitFromConfig({ maxObjects, maxTotalSize }: StorageConfig): ContentLimit {
  const settings = 'controlPlane.storage.maxObjects or controlPlane.storage.maxTotalSize in its tenant.yaml'
  return { most: { objects: maxObjects, bytes: bytesIn(maxTotalSize) }, advice: adviceTo(settings) }
}

function adviceTo(settings: string): string {
  return `delete objects that are no longer needed, or ask the operator of the virtual cluster to raise ${settings}`
}

/** The configuration was validated, so it contains only amounts of storage. */
function bytesIn(size: string): number {
  const parsed = parseQuantity(size)
  if ('problem' in parsed) throw new Error(`The configuration was not checked: ${size} is not an amount of storage.`)
  return Number(parsed.nanos / 1_000_000_000n)
}
