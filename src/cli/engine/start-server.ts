import type { Kind } from '../../api/kind.ts'
import { createStaticTokenAuthenticator, type StaticToken } from '../../auth/static-tokens.ts'
import { systemClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import type { ApiServer } from '../../server/contract.ts'
import { type ApiEngine, type ApiEngineOptions, createApiEngine } from './api-engine.ts'
import type { ServiceAccountKeys } from './identity.ts'
import { openStore } from './open-store.ts'
import { serverTls, type TlsFlags } from './server-tls.ts'
import { serverVersion } from './server-version.ts'

export interface ServerOptions {
  /** Distinguishes the files of several servers in one data directory. */
  readonly name: string
  readonly directory: string
  readonly store: string
  readonly kinds: readonly Kind[]
  readonly adminToken: string
  readonly serviceAccountKeys: ServiceAccountKeys
  readonly port: number
  readonly host?: string
  /** What else the server is called in its certificate. */
  readonly names?: readonly string[]
  readonly tls?: TlsFlags
  readonly log: Log
  /** Users besides the administrator. */
  readonly tokens?: readonly StaticToken[]
  readonly addressesFilledInBy?: string
  readonly capacity?: ApiEngineOptions['capacity']
  readonly server?: ApiEngineOptions['server']
  /** Only for the platform itself. */
  readonly platform?: ApiEngineOptions['platform']
}

export interface RunningServer {
  readonly url: string
  /** PEM. */
  readonly certificateAuthority: string
  readonly certificateAuthorityFile: string
  readonly serveStream: ApiServer['serveStream']
  stop(): Promise<void>
}

const loopback = '127.0.0.1'

/** One API server with its store, certificates and controllers, listening when this resolves. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { name, directory, host = loopback, names = [] } = options
  const store = await openStore(options.store)
  void store.lost?.then((reason) => endBecause(reason, options.log))
  try {
    const certificates = await serverTls({ ...options.tls, directory, name, names: [host, ...names] })
    const engine = await createApiEngine({
      store,
      kinds: options.kinds,
      authenticator: createStaticTokenAuthenticator([
        { token: options.adminToken, name: 'admin', uid: 'admin', groups: ['system:masters'] },
        ...(options.tokens ?? []),
      ]),
      tls: { key: certificates.key, cert: certificates.certificate },
      rootCertificate: certificates.authority,
      serviceAccountKey: options.serviceAccountKeys.signing,
      verifyingKeys: options.serviceAccountKeys.verifying,
      version: serverVersion(),
      clock: systemClock,
      random: systemRandom,
      log: options.log,
      ...(options.capacity && { capacity: options.capacity }),
      ...(options.server && { server: options.server }),
      ...(options.addressesFilledInBy && { addressesFilledInBy: options.addressesFilledInBy }),
      ...(options.platform === undefined ? {} : { platform: options.platform }),
    })
    const port = await start(engine, options.port, host)
    return {
      url: `https://${host}:${port}`,
      certificateAuthority: certificates.authority,
      certificateAuthorityFile: certificates.authorityFile,
      serveStream: engine.server.serveStream,
      stop: async () => {
        await engine.stop()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Whoever answers from a store that is another's tells what was true before. */
function endBecause(reason: Error, log: Log): never {
  log.error('the server ends', { reason: reason.message })
  log.flush()
  process.exit(1)
}

/** Returns the port. An engine that does not get as far as serving is stopped, or it would keep the process. */
async function start(engine: ApiEngine, wanted: number, host: string): Promise<number> {
  try {
    const { port } = await engine.server.listen(wanted, host)
    await engine.startCluster({ host, port })
    return port
  } catch (error) {
    await engine.stop()
    throw isTaken(error)
      ? new Error(`port ${wanted} is in use on ${host}: choose another with --port, or 0 for any`)
      : error
  }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
