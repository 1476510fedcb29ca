import { openConnection } from '../connection/connect.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import { OpeningAgent } from '../connection/opening-agent.ts'
import { type ClusterAccess, KubeconfigError } from '../kubeconfig/contract.ts'
import { ConnectionPool } from '../pool/connection-pool.ts'
import type { TransportLimits } from './limits.ts'

/** Shorter than servers keep idle connections, so that none is closed while a request is being sent on it. */
const keepAliveMs = 30_000

export interface Pools {
  readonly requests: ConnectionPool
  /** Long answers have separate connections, so that they do not use up those of requests. */
  readonly streams: OpeningAgent
  /** The certificate of the last connection, in PEM. */
  shownCertificate(): string | undefined
}

export function createPools(
  access: ClusterAccess,
  { answerTimeoutMs, connectTimeoutMs, concurrency }: TransportLimits,
  env: Readonly<Record<string, string | undefined>>,
): Pools {
  const { origin } = access.url
  let shown: string | undefined
  const open = async () => {
    try {
      const clientCertificate = await access.credentials.clientCertificate()
      shown = clientCertificate?.certificate
      return await openConnection({ ...access, env, connectTimeoutMs, clientCertificate })
    } catch (error) {
      throw asConnectionError(origin, error)
    }
  }
  return {
    requests: new ConnectionPool({ origin, answerTimeoutMs, keepAliveMs, open, most: concurrency }),
    streams: new OpeningAgent(open, { timeout: keepAliveMs }),
    shownCertificate: () => shown,
  }
}

function asConnectionError(origin: string, error: unknown): Error {
  if (error instanceof ConnectionError || error instanceof KubeconfigError) return error
  return connectionFailure(origin, error, { nothingSent: true })
}
