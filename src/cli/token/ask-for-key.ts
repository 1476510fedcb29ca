import { type ApiError, isRefusal } from '../../api/error.ts'
import { makesNoneReason } from '../../api/management/connection-key.ts'
import { managementGroup } from '../../api/management/management-kind.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ApiClient } from '../../client/command/api-client.ts'
import { given } from '../arguments/given.ts'
import type { KnownPlatform } from '../credentials/contract.ts'
import { receivedKey } from '../platform/login/received-key.ts'
import { withClient } from '../platform/session.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { TokenOptions } from './options.ts'

export interface RequestedKey {
  readonly value: string
  readonly leftSeconds: number
}

const answerTimeoutMs = 10_000
const longestSeconds = 24 * 3600

/**
 * A connection key, made with the key of the login. Undefined: the platform reports that it makes none for this login,
 * or is too old. Any other refusal is an error: the key of the login may do far more, and is no substitute for one that
 * a role, or something on the way, prevents the user from getting.
 */
export function askForKey(
  platform: KnownPlatform,
  { project, name: virtualCluster, ttlSeconds }: TokenOptions,
  terminal: Terminal,
): Promise<RequestedKey | undefined> {
  const apiVersion = `${managementGroup(platform.domain)}/v1`
  const body = { apiVersion, kind: 'ConnectionKey', spec: { project, virtualCluster, ...given({ ttlSeconds }) } }
  return withClient({ ...platform, url: new URL(platform.url), answerTimeoutMs }, terminal, async (client) => {
    try {
      const { status } = await client.ask({ method: 'POST', path: `/apis/${apiVersion}/connectionkeys`, body })
      const { key, leftSeconds } = asMembers(status)
      const value = receivedKey(key)
      if (value !== undefined && isTime(leftSeconds)) return { value, leftSeconds }
      throw new Error(`${platform.url} answered without a key`)
    } catch (error) {
      if (isRefusal(error, 403, 404) && (await makesNone(error, client, apiVersion))) return undefined
      throw error
    }
  })
}

/** Connection keys expire within an hour. A far larger number would mean that the key never expires. */
function isTime(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && seconds >= 0 && seconds <= longestSeconds
}

async function makesNone({ status }: ApiError, client: ApiClient, apiVersion: string): Promise<boolean> {
  const causes = status.details?.causes ?? []
  return causes.some(({ reason }) => reason === makesNoneReason) || !(await isServed(client, apiVersion))
}

/** True if it cannot be determined. */
async function isServed(client: ApiClient, apiVersion: string): Promise<boolean> {
  const { resources } = await client.ask({ path: `/apis/${apiVersion}` }).catch(() => ({ resources: undefined }))
  if (!Array.isArray(resources)) return true
  return resources.some((each) => isJsonObject(each) && each.name === 'connectionkeys')
}
