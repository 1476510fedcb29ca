import { validateSubdomain } from '../api/names.ts'
import { isJsonObject } from '../base/json/member.ts'
import type { ApiClient } from './command/api-client.ts'

const prefix = 'management.'

/** `management.<domain>`: the platform configures the domain, and its API groups show it. */
export async function managementGroupOf(client: ApiClient): Promise<string> {
  const { groups } = await client.ask({ path: '/apis' })
  const names = Array.isArray(groups) ? groups.filter(isJsonObject).map(({ name }) => String(name)) : []
  const found = names.find((name) => name.startsWith(prefix) && validateSubdomain(name).length === 0)
  if (found !== undefined) return found
  throw new Error(`${client.origin} is an API server, but not a platform: it has no group ${prefix}<domain>`)
}

export async function domainOf(client: ApiClient): Promise<string> {
  return (await managementGroupOf(client)).slice(prefix.length)
}
