import type { KubeObject } from '../../api/object.ts'
import type { KubeClient } from '../../client/contract.ts'
import {
  type AppliedRecord,
  type RecordPlace,
  readRecord,
  recordSecretAt,
  writeRecordAt,
} from '../host/apply/record.ts'
import type { TenantDeployment } from './manifests/contract.ts'
import { objectLabels } from './manifests/labels.ts'
import { objectNames } from './manifests/names.ts'

/** What was created for a tenant. */
export interface DeployRecord extends AppliedRecord {
  /** The access key that was minted for the tenant, by its name on its platform. */
  readonly key?: { readonly platform: string; readonly name: string }
  readonly project?: string
}

type Named = Pick<TenantDeployment, 'name' | 'namespace'>

export function readApplyRecord(
  host: KubeClient,
  tenant: Named,
  signal?: AbortSignal,
): Promise<DeployRecord | undefined> {
  return readRecord(host, placeOf(tenant), isDeployRecord, signal)
}

export function writeRecord(
  host: KubeClient,
  tenant: Named,
  record: DeployRecord,
  signal?: AbortSignal,
): Promise<void> {
  return writeRecordAt(host, placeOf(tenant), record, signal)
}

export function recordSecret(tenant: Named): KubeObject {
  return recordSecretAt(placeOf(tenant), {})
}

function placeOf(tenant: Named): RecordPlace {
  const { name, namespace } = tenant
  return { name: objectNames.record(name), namespace, labels: objectLabels(tenant) }
}

/** The other members are optional. */
function isDeployRecord(value: AppliedRecord): value is DeployRecord {
  return typeof value.madeNamespace === 'boolean'
}
