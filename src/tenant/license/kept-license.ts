import { isRefusal } from '../../api/error.ts'
import type { ToldLicense } from '../../api/told-license.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { secretType } from '../../client/builtin-types.ts'
import type { KubeClient } from '../../client/contract.ts'

const entry = 'license'
const issuerEntry = 'issuer'

/** The Secret for the license from the platform, so that a restart during an outage changes nothing. */
export function keptLicenseName(tenant: string): string {
  return `tenant-${tenant}-license`
}

export async function readLicenseSecret(
  host: Pick<KubeClient, 'get'>,
  place: { readonly namespace: string; readonly name: string },
  signal?: AbortSignal,
): Promise<ToldLicense | undefined> {
  try {
    const { data } = await host.get(secretType, place, signal)
    const document = textIn(data, entry)
    const issuer = textIn(data, issuerEntry)
    if (document === undefined) return undefined
    return issuer === undefined ? { document } : { document, issuer }
  } catch (error) {
    if (isRefusal(error, 404)) return undefined
    throw error
  }
}

function textIn(data: unknown, name: string): string | undefined {
  const encoded = isJsonObject(data) ? data[name] : undefined
  return typeof encoded === 'string' ? Buffer.from(encoded, 'base64').toString('utf8') : undefined
}

export async function keepLicense(
  host: Pick<KubeClient, 'apply'>,
  { namespace, tenant }: { readonly namespace: string; readonly tenant: string },
  { document, issuer }: ToldLicense,
  signal?: AbortSignal,
): Promise<void> {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: keptLicenseName(tenant), labels: { 'app.kubernetes.io/instance': tenant } },
    type: 'Opaque',
    data: {
      [entry]: Buffer.from(document).toString('base64'),
      ...(issuer === undefined ? {} : { [issuerEntry]: Buffer.from(issuer).toString('base64') }),
    },
  }
  await host.apply(secretType, secret, { fieldManager: 'tenant', force: true }, signal)
}
