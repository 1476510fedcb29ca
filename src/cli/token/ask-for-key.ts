import { isRefusal } from '../../api/error.ts'
import { managementGroup } from '../../api/management/management-kind.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { given } from '../arguments/given.ts'
import type { KnownPlatform } from '../credentials/contract.ts'
import { withClient } from '../platform/session.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { TokenOptions } from './options.ts'

export interface AskedKey {
  readonly value: string
  readonly leftSeconds: number
}

/** A connection key, made with that of the login. Undefined: the platform makes none for this login, or is too old to. */
export function askForKey(
  platform: KnownPlatform,
  { project, name: virtualCluster, ttlSeconds }: TokenOptions,
  terminal: Terminal,
): Promise<AskedKey | undefined> {
  const apiVersion = `${managementGroup(platform.domain)}/v1`
  const body = { apiVersion, kind: 'ConnectionKey', spec: { project, virtualCluster, ...given({ ttlSeconds }) } }
  return withClient({ ...platform, url: new URL(platform.url) }, terminal, async (client) => {
    try {
      const { status } = await client.ask({ method: 'POST', path: `/apis/${apiVersion}/connectionkeys`, body })
      const { key, leftSeconds } = isJsonObject(status) ? status : {}
      if (typeof key === 'string' && typeof leftSeconds === 'number') return { value: key, leftSeconds }
      throw new Error(`${platform.url} answered without a key`)
    } catch (error) {
      if (isRefusal(error, 403, 404)) return undefined
      throw error
    }
  })
}
