import type { Endpoint } from '../../client/connect.ts'
import { proxyFor } from '../../client/proxy-environment.ts'
import type { PlatformKey } from '../platform-key/contract.ts'

const connectTimeoutMs = 10_000

/** Where the platform is, whom to trust there, and the proxy on the way. */
export function platformEndpoint(
  { url: text, insecure, certificateAuthority }: PlatformKey,
  env: Readonly<Record<string, string | undefined>>,
): Endpoint {
  const url = new URL(text)
  const proxy = proxyFor(url, env)
  return { url, trust: trustOf(insecure, certificateAuthority), env, connectTimeoutMs, ...(proxy && { proxy }) }
}

function trustOf(insecure: boolean, authority: string | undefined): Endpoint['trust'] {
  if (insecure) return { mode: 'unverified' }
  return authority === undefined ? { mode: 'system' } : { mode: 'authority', authority }
}
