import { isRefusal } from '../../api/error.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { KubeClient } from '../../client/contract.ts'
import { secrets } from '../platform-key/secret-reader.ts'

const entry = 'license'

/** Where a tenant keeps what the platform told, so that a restart during an outage changes nothing. */
export function keptLicenseName(tenant: string): string {
  return `tenant-${tenant}-license`
}

export async function readLicenseSecret(
  host: Pick<KubeClient, 'get'>,
  place: { readonly namespace: string; readonly name: string },
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    const { data } = await host.get(secrets, place, signal)
    const encoded = isJsonObject(data) ? data[entry] : undefined
    return typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString('utf8') : undefined
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    throw error
  }
}

export async function keepLicense(
  host: Pick<KubeClient, 'apply'>,
  { namespace, tenant }: { readonly namespace: string; readonly tenant: string },
  document: string,
  signal?: AbortSignal,
): Promise<void> {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: keptLicenseName(tenant), labels: { 'app.kubernetes.io/instance': tenant } },
    type: 'Opaque',
    data: { [entry]: Buffer.from(document).toString('base64') },
  }
  await host.apply(secrets, secret, { fieldManager: 'tenant', force: true }, signal)
}
