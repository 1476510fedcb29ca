import type { Command } from 'commander'
import type { Amount } from '../../registry/quota/ledger.ts'
import { countArgument } from './count-argument.ts'

export interface CapacityFlags {
  readonly maxObjectsPerVirtualCluster: number
  /** MiB. */
  readonly maxStoragePerVirtualCluster: number
}

/** How much every virtual cluster of a machine may keep there. */
export function addCapacityOptions(command: Command): Command {
  return command
    .option('--max-objects-per-virtual-cluster <number>', 'objects that one may keep', countArgument, 20_000)
    .option('--max-storage-per-virtual-cluster <MiB>', 'how much those may take', countArgument, 256)
}

export function capacityOf({ maxObjectsPerVirtualCluster, maxStoragePerVirtualCluster }: CapacityFlags): Amount {
  return { objects: maxObjectsPerVirtualCluster, bytes: maxStoragePerVirtualCluster * 1024 * 1024 }
}
