import { errorText } from '../../base/error-text.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { waitAtMost } from '../../base/pause.ts'
import type { ApiClient } from '../../client/command/api-client.ts'
import type { Session } from '../platform/session.ts'

/** A Secret on the host that holds a key. */
export interface KeySecret {
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

const patienceMs = 15_000
const asksAtOnce = 8
const onlyMetadata = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'

/**
 * Adds the Secret to its key, so that the platform writes each new value into it. The platform must reach the host,
 * under any name; the Secret itself shows which of its clusters the host is. Resolves to the reason if it was not
 * added.
 */
export async function manageKeySecret(
  session: Session,
  keyName: string,
  secret: KeySecret,
): Promise<string | undefined> {
  try {
    const cluster = await clusterWith(session, secret)
    if (cluster === undefined) return 'this host is not a cluster of the platform that you may use'
    const { namespace, name } = secret
    await session.client.ask({
      method: 'PATCH',
      path: `${session.path}/ownedaccesskeys/${encodeURIComponent(keyName)}`,
      contentType: 'application/merge-patch+json',
      body: { spec: { managedSecrets: [{ cluster, namespace, name }] } },
    })
    return undefined
  } catch (error) {
    return errorText(error)
  }
}

async function clusterWith({ client, path }: Session, secret: KeySecret): Promise<string | undefined> {
  const { items } = await client.ask({ path: `${path}/clusters`, query: { limit: '500' } })
  const names = (Array.isArray(items) ? items : []).flatMap(nameOf)
  let found: string | undefined
  const look = async () => {
    for (let name = names.shift(); name !== undefined && found === undefined; name = names.shift()) {
      if ((await uidIn(client, name, secret)) === secret.uid) found = name
    }
  }
  await waitAtMost(patienceMs, Promise.all(Array.from({ length: asksAtOnce }, look)))
  return found
}

function nameOf(item: unknown): readonly string[] {
  const name = isJsonObject(item) && isJsonObject(item.metadata) ? item.metadata.name : undefined
  return typeof name === 'string' ? [name] : []
}

/** A cluster that is unavailable, or does not allow the caller to look, does not match. */
async function uidIn(client: ApiClient, cluster: string, { namespace, name }: KeySecret): Promise<unknown> {
  const path = `/kubernetes/cluster/${encodeURIComponent(cluster)}/api/v1/namespaces/${namespace}/secrets/${name}`
  try {
    const { metadata } = await client.ask({ path, accept: onlyMetadata })
    return isJsonObject(metadata) ? metadata.uid : undefined
  } catch {
    return undefined
  }
}
