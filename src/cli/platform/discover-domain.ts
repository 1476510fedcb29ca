import { isJsonObject } from '../../base/json/member.ts'
import type { ApiClient } from '../../client/api-client.ts'

const prefix = 'management.'

/** The domain of a platform, which its API groups tell. */
export async function discoverDomain(client: ApiClient): Promise<string> {
  const { groups } = await client.ask({ path: '/apis' })
  const names = Array.isArray(groups) ? groups.filter(isJsonObject).map(({ name }) => String(name)) : []
  const found = names.find((name) => name.startsWith(prefix))
  if (found !== undefined) return found.slice(prefix.length)
  throw new Error(`${client.origin} is an API server, but not a platform: it has no group ${prefix}<domain>`)
}
