import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { CommonFiles } from '../../base/certificates/common-files.ts'
import type { Log } from '../../base/log.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { TenantPlace } from '../../sync/names/names.ts'
import { FilesOnHost } from '../../tenant/replicas/files-on-host.ts'
import { parseStoreAddress } from '../store/store-address.ts'

export interface CommonFilesParts {
  readonly identity: TenantPlace
  readonly config: EffectiveConfig
  readonly host: KubeClient
  readonly log: Log
}

/**
 * The files that replicas of a virtual cluster share. Undefined for one that keeps its objects, and everything else, in
 * its own directory. One on an etcd may have several replicas, even if it does not yet.
 */
export function commonFilesOf(
  { directory, store }: { readonly directory: string; readonly store?: string },
  { identity, config, host, log }: CommonFilesParts,
): CommonFiles | undefined {
  if (store === undefined || parseStoreAddress(store).form !== 'etcd') return undefined
  return new FilesOnHost({ identity, host, directory, isReplicated: config.controlPlane.replicas > 1, log })
}
