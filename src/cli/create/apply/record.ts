import type { KubeObject } from '../../../api/object.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { existing } from '../../host/objects.ts'
import type { Manifest, TenantDeployment } from '../manifests/contract.ts'
import { objectLabels } from '../manifests/labels.ts'
import { objectNames } from '../manifests/names.ts'
import { applyToHost } from './apply-object.ts'

/**
 * What was made for a tenant, kept beside it: what an upgrade compares with, what a failed one goes back to, and all
 * that a deletion removes. Values of access keys are never part of it.
 */
export interface DeployRecord {
  readonly manifests: readonly Manifest[]
  readonly madeNamespace: boolean
  /** The access key that was minted for the tenant, by its name on its platform. */
  readonly key?: { readonly platform: string; readonly name: string }
  readonly project?: string
}

type Named = Pick<TenantDeployment, 'name' | 'namespace'>

const version = 1
const entry = 'applied.json'

export async function readApplyRecord(
  host: KubeClient,
  tenant: Named,
  signal?: AbortSignal,
): Promise<DeployRecord | undefined> {
  const secret = await existing(host, recordSecret(tenant, {}), signal)
  if (secret === undefined) return undefined
  const encoded = isJsonObject(secret.data) ? secret.data[entry] : undefined
  const value: unknown = JSON.parse(Buffer.from(String(encoded ?? ''), 'base64').toString('utf8') || 'null')
  if (isRecord(value)) return value
  throw new Error(
    `the Secret ${objectNames.record(tenant.name)} of namespace ${tenant.namespace} was written by another release`,
  )
}

export async function writeRecord(
  host: KubeClient,
  tenant: Named,
  record: DeployRecord,
  signal?: AbortSignal,
): Promise<void> {
  const text = JSON.stringify({ version, ...record })
  const secret = recordSecret(tenant, { [entry]: Buffer.from(text).toString('base64') })
  await applyToHost(host, secret, undefined, signal)
}

export function recordSecret(tenant: Named, data: Readonly<Record<string, string>>): KubeObject {
  const { name, namespace } = tenant
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: objectNames.record(name), namespace, labels: objectLabels(tenant) },
    type: 'Opaque',
    data,
  }
}

function isRecord(value: unknown): value is DeployRecord {
  return isJsonObject(value) && value.version === version && Array.isArray(value.manifests)
}
