import { Pool } from 'undici'
import { openConnection } from '../connection/connect.ts'
import { ConnectionError } from '../connection/connection-error.ts'
import { connectionFailure } from '../connection/connection-failure.ts'
import { type ClusterAccess, KubeconfigError } from '../kubeconfig/contract.ts'
import type { TransportLimits } from './limits.ts'

/** Less than servers keep a connection without requests, so that none is closed while one is being sent on it. */
const keepAliveMs = 30_000

export interface Pools {
  readonly requests: Pool
  /** Long answers have connections of their own: they must not take those of the requests. */
  readonly streams: Pool
  /** What the last connection showed, in PEM. */
  shownCertificate(): string | undefined
}

export function createPools(
  access: ClusterAccess,
  limits: TransportLimits,
  env: Readonly<Record<string, string | undefined>>,
): Pools {
  const { answerTimeoutMs, connectTimeoutMs, maxAnswerBytes, concurrency } = limits
  let shown: string | undefined
  const open = async () => {
    const clientCertificate = await access.credentials.clientCertificate()
    shown = clientCertificate?.certificate
    return openConnection({ ...access, env, connectTimeoutMs, clientCertificate })
  }
  const shared: Pool.Options = {
    connect: (_options, done) => {
      open().then(
        (socket) => done(null, socket),
        (error: unknown) => done(asConnectionError(access.url.origin, error), null),
      )
    },
    headersTimeout: answerTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
  }
  const { origin } = access.url
  return {
    requests: new Pool(origin, {
      ...shared,
      bodyTimeout: answerTimeoutMs,
      maxResponseSize: maxAnswerBytes,
      connections: concurrency,
    }),
    streams: new Pool(origin, { ...shared, bodyTimeout: 0, connections: null }),
    shownCertificate: () => shown,
  }
}

function asConnectionError(origin: string, error: unknown): Error {
  if (error instanceof ConnectionError || error instanceof KubeconfigError) return error
  return connectionFailure(origin, error, { nothingSent: true })
}
