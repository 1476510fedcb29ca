import type { ServerEndpoint } from './connect.ts'
import { proxyFor } from './proxy-environment.ts'

const connectTimeoutMs = 10_000

/** How all clients connect to a platform: through the proxy that the environment names, if any. */
export function platformEndpoint(
  { url, trust }: Pick<ServerEndpoint, 'url' | 'trust'>,
  env: Readonly<Record<string, string | undefined>>,
): ServerEndpoint {
  const proxy = proxyFor(url, env)
  return { url, trust, env, connectTimeoutMs, ...(proxy && { proxy }) }
}
