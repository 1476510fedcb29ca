import { isJsonObject } from '../../base/json/member.ts'
import { claimAt } from '../claims/claim-path.ts'
import { SignOnFailure } from '../failure.ts'
import type { LimitedFetch } from '../fetch/limited-fetch.ts'

type Claims = Readonly<Record<string, unknown>>

const entraHosts = ['login.microsoftonline.com', 'login.microsoftonline.us', 'sts.windows.net']
const publicGraph = 'https://graph.microsoft.com'
const pageSize = 999
/** A user counts for at most 500 filtered groups here: more are read, since filters apply later. */
const mostPages = 6

/** Where groups are requested that do not fit into a token. Undefined: the provider has no such API. */
export function graphUrlOf(issuer: string, graphUrl = ''): string | undefined {
  if (graphUrl !== '') return graphUrl.replace(/\/$/, '')
  return URL.canParse(issuer) && entraHosts.includes(new URL(issuer).hostname) ? publicGraph : undefined
}

/** Whether a token indicates that the user has groups that are not in it. */
export function hasGroupOverage(claims: Claims, path: string): boolean {
  if (claimAt(claims, path) !== undefined) return false
  const { _claim_names: names, hasgroups } = claims
  return (isJsonObject(names) && Object.hasOwn(names, 'groups')) || hasgroups === true || hasgroups === 'true'
}

export interface GraphQuestion {
  readonly graphUrl: string
  readonly accessToken: string
  /**
   * What a refusal means: at a sign-in a fault of the connector, and later a matter of this one user, which must not
   * affect others.
   */
  readonly refusedAs: 'misconfigured' | 'untrusted'
}

/**
 * Ids of the groups of the access token's owner. The request goes to the connector's configured address, never to one
 * that a token names: it would receive the access token.
 */
export async function groupsOfGraph(fetch: LimitedFetch, question: GraphQuestion): Promise<readonly string[]> {
  const { graphUrl } = question
  const groups: string[] = []
  const query = `$select=id&$top=${pageSize}`
  let next: string | undefined = `${graphUrl}/v1.0/me/transitiveMemberOf/microsoft.graph.group?${query}`
  for (let page = 0; page < mostPages && next !== undefined; page += 1) {
    const told = await pageAt(fetch, next, question)
    groups.push(...told.ids)
    next = told.next?.startsWith(`${graphUrl}/`) ? told.next : undefined
  }
  return groups
}

/** Too many requests are not a refusal: all users may share the limit. */
function isRefused(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429
}

interface GraphPage {
  readonly ids: readonly string[]
  readonly next: string | undefined
}

async function pageAt(
  fetch: LimitedFetch,
  address: string,
  { accessToken, refusedAs }: GraphQuestion,
): Promise<GraphPage> {
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` }
  const answer = await fetch(address, { method: 'GET', headers })
  if (isRefused(answer.status)) {
    const advice =
      'allow GroupMember.Read.All for the application, ask for it in spec.oidc.scopes, see spec.oidc.graphUrl'
    throw new SignOnFailure(refusedAs, `the groups of the user were not read (${answer.status}): ${advice}`)
  }
  const told: unknown = answer.ok ? await answer.json().catch(() => undefined) : undefined
  if (!isJsonObject(told) || !Array.isArray(told.value)) {
    throw new SignOnFailure('unavailable', `the groups of the user were not read (${answer.status})`)
  }
  const items: readonly unknown[] = told.value.slice(0, pageSize)
  const ids = items.flatMap((item) => (isJsonObject(item) && typeof item.id === 'string' ? [item.id] : []))
  const next = told['@odata.nextLink']
  return { ids, next: typeof next === 'string' ? next : undefined }
}
