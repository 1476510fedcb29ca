import { managementGroup } from '../../api/management/management-kind.ts'
import { packageVersion } from '../../base/package-version.ts'
import { createApiClient } from '../../client/command/api-client.ts'
import { createHttpClient } from '../../client/command/http-client.ts'
import { platformEndpoint } from '../../client/connection/platform-endpoint.ts'
import { answerTimeoutMs, maxAnswerBytes } from '../platform/limits.ts'
import type { Session } from '../platform/session.ts'

export interface OwnPlatform {
  readonly url: string
  readonly certificateAuthority: string
  readonly domain: string
  readonly accessKey: string
}

/** The administrator of this process's platform, as if logged in to it. */
export function ownSession({ url, certificateAuthority, domain, accessKey }: OwnPlatform): Session {
  const trust = { mode: 'authority', authority: certificateAuthority } as const
  const endpoint = platformEndpoint({ url: new URL(url), trust }, {})
  const userAgent = `tenant-up/${packageVersion()}`
  const withKey = (token: string) => {
    const http = createHttpClient(endpoint, { answerTimeoutMs, maxAnswerBytes })
    return createApiClient({ http, token, userAgent, onWarning: () => {} })
  }
  const apiVersion = `${managementGroup(domain)}/v1`
  return {
    client: withKey(accessKey),
    withKey,
    platform: { name: 'up', url, domain, trust, accessKey },
    credentials: { current: undefined, platforms: [] },
    apiVersion,
    path: `/apis/${apiVersion}`,
  }
}
