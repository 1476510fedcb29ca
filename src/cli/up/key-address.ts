import { isJsonObject } from '../../base/json/member.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { Deployment } from '../create/manifests/contract.ts'
import { instanceLabel } from '../create/manifests/labels.ts'
import { keySecret } from '../create/tenant-key.ts'
import { existing, keyOf, typeOf } from '../host/objects.ts'

/** The platform may have another port than at its last start: the Secret with a key that was made here says so. */
export async function keepAddress(
  host: KubeClient,
  tenant: Pick<Deployment, 'name' | 'namespace'>,
  url: string,
): Promise<void> {
  const secret = await existing(host, keySecret(tenant, {}))
  if (secret?.metadata.labels?.[instanceLabel] !== tenant.name) return
  const address = Buffer.from(url).toString('base64')
  if (isJsonObject(secret.data) && secret.data.host === address) return
  await host.patch(await typeOf(host, secret), keyOf(secret), { type: 'merge', body: { data: { host: address } } })
}
