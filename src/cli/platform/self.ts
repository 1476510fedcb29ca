import { ApiError } from '../../api/error.ts'
import { managementGroup } from '../../api/management/management-kind.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'
import { asMembers, asText, asTexts } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ApiClient, JsonBody } from '../../client/command/api-client.ts'

/** Who the caller is on a platform. */
export interface Self {
  readonly username: string
  readonly groups: readonly string[]
  readonly teams: readonly string[]
  /** Absent: no access key is used, or the platform does not report it. */
  readonly key?: KeyInUse
}

export interface KeyInUse {
  readonly name: string
  readonly keyId: string
  /** Absent: it does not expire. */
  readonly expiresAt?: string
  readonly scope?: AccessKeyScope
}

/** Every key may ask this. A platform without `selves` still supports the SelfSubjectReview of Kubernetes. */
export async function askSelf(client: ApiClient, domain: string): Promise<Self> {
  const apiVersion = `${managementGroup(domain)}/v1`
  try {
    const body = { apiVersion, kind: 'Self' }
    return selfOf(await client.ask({ method: 'POST', path: `/apis/${apiVersion}/selves`, body }))
  } catch (error) {
    if (error instanceof ApiError && [403, 404, 405].includes(error.code)) return askReview(client)
    throw error
  }
}

async function askReview(client: ApiClient): Promise<Self> {
  const apiVersion = 'authentication.k8s.io/v1'
  const body = { apiVersion, kind: 'SelfSubjectReview' }
  return selfOf(await client.ask({ method: 'POST', path: `/apis/${apiVersion}/selfsubjectreviews`, body }))
}

function selfOf({ status }: JsonBody): Self {
  const { userInfo, teams, accessKey } = asMembers(status)
  const { username, groups } = asMembers(userInfo)
  if (typeof username !== 'string') throw new Error('the platform answered without the name of a user')
  return {
    username,
    groups: asTexts(groups),
    teams: asTexts(teams),
    ...(isJsonObject(accessKey) ? { key: keyOf(accessKey) } : {}),
  }
}

function keyOf({ name, keyId, expiresAt, scope }: Record<string, unknown>): KeyInUse {
  return {
    name: asText(name),
    keyId: asText(keyId),
    ...(typeof expiresAt === 'string' ? { expiresAt } : {}),
    ...(isJsonObject(scope) ? { scope } : {}),
  }
}
