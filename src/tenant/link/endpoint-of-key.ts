import type { ServerEndpoint } from '../../client/connection/connect.ts'
import { platformEndpoint } from '../../client/connection/platform-endpoint.ts'
import type { PlatformKey } from '../platform-key/contract.ts'

/** The endpoint of a key's platform. */
export function endpointOfKey(key: PlatformKey, env: Readonly<Record<string, string | undefined>>): ServerEndpoint {
  return platformEndpoint({ url: new URL(key.url), trust: trustOf(key) }, env)
}

function trustOf({ insecure, certificateAuthority: authority }: PlatformKey): ServerEndpoint['trust'] {
  if (insecure) return { mode: 'unverified' }
  return authority === undefined ? { mode: 'system' } : { mode: 'authority', authority }
}
