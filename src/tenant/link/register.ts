import { isJsonObject } from '../../base/json/member.ts'
import type { ApiClient } from '../../client/api-client.ts'
import type { TenantIdentity } from './contract.ts'
import { LinkFailure } from './problem.ts'

export interface Registered {
  /** The path of the object that stands for the virtual cluster. */
  readonly path: string
  readonly project: string
  readonly name: string
  /** The licence of the platform; absent if it has none. */
  readonly license?: string
}

export interface Wanted {
  readonly project: string
  readonly name: string
}

/** Makes the virtual cluster known to the platform, or finds it as it was known before. */
export async function register(client: ApiClient, identity: TenantIdentity, wanted: Wanted): Promise<Registered> {
  const group = await managementGroup(client)
  const instances = `/apis/${group}/v1/namespaces/p-${wanted.project}/virtualclusterinstances`
  const { serviceUid, namespace, name: virtualCluster, version } = identity
  const answer = await client.ask({
    method: 'POST',
    path: `${instances}/${wanted.name}/register`,
    body: {
      apiVersion: `${group}/v1`,
      kind: 'VirtualClusterRegistration',
      spec: { serviceUid, namespace, virtualCluster, version },
    },
  })
  const { project, name, license } = isJsonObject(answer.status) ? answer.status : {}
  if (typeof project !== 'string' || typeof name !== 'string') {
    throw new LinkFailure({
      reason: 'PlatformError',
      message: 'the platform does not say under which name it knows us',
    })
  }
  return { path: `${instances}/${name}`, project, name, ...(typeof license === 'string' && { license }) }
}

/** `management.<domain>`: the domain is a setting of the platform. */
async function managementGroup(client: ApiClient): Promise<string> {
  const { groups } = await client.ask({ path: '/apis' })
  const names = Array.isArray(groups) ? groups.flatMap((each) => (isJsonObject(each) ? [each.name] : [])) : []
  const group = names.find((name) => typeof name === 'string' && name.startsWith('management.'))
  if (typeof group === 'string') return group
  const message = `${client.origin} is no platform: it serves no group management.<domain>`
  throw new LinkFailure({ reason: 'PlatformError', message })
}
