import { packageVersion } from '../../base/package-version.ts'
import { type ApiClient, createApiClient } from '../../client/command/api-client.ts'
import { createHttpClient, type HttpClient } from '../../client/command/http-client.ts'
import { endpointOfKey } from '../../tenant/link/endpoint-of-key.ts'
import type { PlatformKey } from '../../tenant/platform-key/contract.ts'
import { maxAnswerBytes } from '../platform/limits.ts'
import type { Terminal } from '../terminal/terminal.ts'

const answerTimeoutMs = 15_000

/** Connects to the platform as the virtual cluster does. */
export async function withPlatformHttp<T>(
  key: PlatformKey,
  { env }: Terminal,
  act: (http: HttpClient) => Promise<T>,
): Promise<T> {
  const http = createHttpClient(endpointOfKey(key, env), { answerTimeoutMs, maxAnswerBytes })
  try {
    return await act(http)
  } finally {
    http.close()
  }
}

/** The same, with its key. */
export function asTenant<T>(key: PlatformKey, terminal: Terminal, act: (client: ApiClient) => Promise<T>): Promise<T> {
  return withPlatformHttp(key, terminal, (http) =>
    act(
      createApiClient({
        http,
        token: key.accessKey,
        userAgent: `tenant-doctor/${packageVersion()}`,
        onWarning: () => {},
      }),
    ),
  )
}
