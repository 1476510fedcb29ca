import { join } from 'node:path'
import type { Authenticator } from '../auth/contract.ts'
import { type CommonFiles, ownFiles } from '../base/certificates/common-files.ts'
import type { MakeAlone } from '../base/certificates/ensure.ts'
import { monotonicClock, systemClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { systemRandom } from '../base/random.ts'
import { firstKeyAuthenticator } from '../platform/identity/first-key-authenticator.ts'
import type { ApiServer, TlsFiles, VersionInfo } from '../server/contract.ts'
import type { Store } from '../storage/contract.ts'
import { administrators, hasClusterRoleBinding as isBound } from './access/bootstrap-policy.ts'
import { clientAuthorities, usersAuthority } from './certificates/client-authorities.ts'
import { serverTls, type TlsFlags, tlsChoice } from './certificates/server-tls.ts'
import { ShownCertificate, type ShownTls } from './certificates/shown-certificate.ts'
import type { ClusterType } from './clusters.ts'
import type { ApiAddress } from './controllers/api-address.ts'
import { createApiEngine } from './engine/api-engine.ts'
import type { ApiEngine, ApiEngineOptions } from './engine/engine-contract.ts'
import { followFirstKey } from './follow-first-key.ts'
import { adminUser } from './identity/kept-secret.ts'
import type { AdminKey, ServerIdentity } from './identity/server-identity.ts'
import { DirectoryTurn } from './rotation/directory-turn.ts'
import { ServerRotation } from './rotation/server-rotation.ts'
import { StartCheck } from './routes/health-checks.ts'
import { serverVersion } from './server-version.ts'
import { openStore } from './store/open-store.ts'
import { StoreEncryption } from './store/store-encryption.ts'

export interface ServerOptions {
  /** Distinguishes the files of several servers in one data directory. */
  readonly name: string
  readonly directory: string
  readonly store: string
  /** A file with the keys that encrypt confidential values in the store. Absent: they are not encrypted. */
  readonly encryptionKeys?: string | undefined
  readonly cluster: ClusterType
  /** The reported version. Absent: the served version, and ours. */
  readonly version?: VersionInfo
  readonly identity: (store: Store) => Promise<ServerIdentity>
  readonly port: number
  readonly host?: string
  /** Additional names in the certificate. */
  readonly names?: readonly string[]
  readonly tls?: TlsFlags
  /** The files that replicas share. Absent: there is one replica. */
  readonly files?: CommonFiles
  readonly log: Log
  /** The store is open, and used only by this process: not called for a store that others may have open, too. */
  readonly onStoreOpened?: (() => void) | undefined
  /**
   * Called when the server answers. Not called at the first start, before the initial objects exist, because callers
   * would have no rights.
   */
  readonly onAnswering?: ((answering: AnsweringServer) => Promise<void> | void) | undefined
  /** Called when another process has taken over the store. Absent: this process ends. */
  readonly onStoreLost?: (reason: Error) => void
  readonly engine?: EngineChoices
  readonly server?: ApiEngineOptions['server']
  /** Only for the platform itself. */
  readonly platform?: ApiEngineOptions['platform']
}

/** What the engine is told as it is. */
export type EngineChoices = Pick<
  ApiEngineOptions,
  | 'capacity'
  | 'controllers'
  | 'electionTimes'
  | 'hostMetrics'
  | 'network'
  | 'oidcTokens'
  | 'simulatedTimes'
  | 'tokensAhead'
  | 'webhookCredentials'
>

export interface AnsweringServer {
  readonly serveStream: ApiServer['serveStream']
  hasClusterRoleBinding(name: string): boolean
}

export interface RunningServer {
  readonly url: string
  /** PEM. */
  readonly certificateAuthority: string
  readonly certificateAuthorityFile: string
  readonly admin: AdminKey
  /** For a platform: accepts only the administrator's key. */
  readonly administrator: Authenticator
  /** For a platform: called when another key becomes the administrator's key. */
  onAdminReplaced(listener: () => void): void
  readonly serveStream: ApiServer['serveStream']
  readonly local: ApiServer['local']
  readonly drain: ApiServer['drain']
  /** Clients in the cluster may use this address from now on, and are told so. A given certificate stays unchanged. */
  answerAt(address: ApiAddress): Promise<void>
  stop(): Promise<void>
}

const loopback = '127.0.0.1'

/** One API server with its store, certificates and controllers, listening when this resolves. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { name, directory, host = loopback, files = ownFiles, log } = options
  tlsChoice(options.tls ?? {})
  const opened = await openStore(options.store)
  void opened.lost?.then(options.onStoreLost ?? ((reason) => endBecause(reason, log)))
  const stops = [() => opened.close()]
  if (opened.soleWriter) options.onStoreOpened?.()
  try {
    const encryption = await StoreEncryption.open(opened, { keyFile: options.encryptionKeys, log })
    stops.unshift(() => encryption.stop())
    const { store } = encryption
    const identity = await options.identity(store)
    stops.unshift(() => identity.stop())
    const ending = new AbortController()
    const turn = new DirectoryTurn({ store, directory: join(directory, 'pki', name), signal: ending.signal })
    // Replicas with common files agree on them, and each has a directory of its own.
    const makeAlone: MakeAlone = (make) => (files === ownFiles ? turn.take(make) : make())
    const place = { directory, name, makeAlone }
    const certificate = await openCertificate(options, place)
    const certificates = certificate.shown
    const { tls = {} } = options
    const rotation = new ServerRotation({ directory, name, tls, files, store, identity, certificate, log })
    const authorities = await files.around(async () =>
      options.cluster.clientCertificates ? clientAuthorities(place) : undefined,
    )
    const startCheck = new StartCheck()
    const engine = await createApiEngine({
      ...choicesOf(options),
      ...identityParts(identity),
      store,
      tls: tlsFiles(certificates),
      clientAuthority: authorities?.users,
      frontProxy: authorities?.frontProxy,
      rootCertificate: certificates.authority,
      clock: systemClock,
      elapsed: monotonicClock,
      random: systemRandom,
      storeMetrics: () => encryption.metrics(),
      healthChecks: [startCheck.check],
      server: { ...options.server, extraRoutes: [rotation.route, ...(options.server?.extraRoutes ?? [])] },
    })
    const port = await start(engine, { ...options, host }, startCheck)
    stops.unshift(() => engine.stop())
    encryption.start()
    const firstKey = await followFirstKey(engine, identity, log)
    startCheck.end()
    stops.unshift(() => firstKey.stop())
    certificate.start((next) => engine.useCertificate(tlsFiles(next), next.authority))
    stops.unshift(() => certificate.stop())
    rotation.start()
    stops.unshift(() => rotation.stop())
    stops.unshift(async () => ending.abort())
    return {
      url: `https://${host}:${port}`,
      certificateAuthority: certificates.authority,
      certificateAuthorityFile: certificates.authorityFile,
      admin: identity.admin,
      administrator: firstKeyAuthenticator(engine.accessKeys, identity.currentAdmin, adminUser),
      onAdminReplaced: firstKey.onReplaced,
      serveStream: engine.server.serveStream,
      local: engine.server.local,
      drain: engine.server.drain,
      answerAt: async (address) => {
        await certificate.answerAs(address.host)
        await engine.advertise(address)
      },
      stop: () => inTurn(stops),
    }
  } catch (error) {
    await inTurn(stops)
    throw error
  }
}

type ServerPlace = Parameters<typeof usersAuthority>[0]

function openCertificate(options: ServerOptions, place: ServerPlace): Promise<ShownCertificate> {
  const { tls, host = loopback, names = [], files = ownFiles, cluster, log } = options
  return ShownCertificate.open({
    read: (more) =>
      files.around(async () => ({
        ...(await serverTls({ ...tls, ...place, names: [host, ...names, ...more] })),
        clientCa: cluster.clientCertificates ? (await usersAuthority(place)).cert : undefined,
      })),
    log,
  })
}

function choicesOf({ cluster, version = serverVersion(), log, engine, platform }: ServerOptions) {
  return { ...engine, cluster, version, log, ...(platform && { platform }) }
}

function identityParts({ tokens, signer, verifyingKeys }: ServerIdentity) {
  return { authenticator: tokens, tokenSigner: signer, verifyingKeys }
}

function tlsFiles({ key, certificate: cert, clientCa }: ShownTls): TlsFiles {
  return { key, cert, ...(clientCa !== undefined && { clientCa }) }
}

async function inTurn(stops: readonly (() => Promise<void>)[]): Promise<void> {
  for (const stop of stops) await stop()
}

/** A server whose store belongs to another process would answer with outdated state. */
function endBecause(reason: Error, log: Log): never {
  log.error('the server ends', { reason: reason.message })
  log.flush()
  process.exit(1)
}

type StartOptions = Pick<ServerOptions, 'port' | 'platform' | 'onAnswering'> & { readonly host: string }

/** Returns the port. An engine that fails to start is stopped, because it would keep the process alive. */
async function start(
  engine: ApiEngine,
  { port: wanted, host, platform, onAnswering }: StartOptions,
  startCheck: StartCheck,
): Promise<number> {
  try {
    const { port } = await engine.server.listen(wanted, host)
    const { serveStream } = engine.server
    const hasClusterRoleBinding = (name: string) => isBound(engine.registry, name)
    if (hasClusterRoleBinding(administrators)) {
      if (platform === undefined) startCheck.end()
      await onAnswering?.({ serveStream, hasClusterRoleBinding })
    }
    await engine.startCluster({ host, port })
    return port
  } catch (error) {
    await engine.stop()
    throw explainedListening(error, wanted, host)
  }
}

function explainedListening(error: unknown, port: number, host: string | undefined): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return new Error(`port ${port} is in use on ${host}: choose another with --port, or 0 for any`)
    case 'EADDRNOTAVAIL':
      return new Error(`${host} is not an address of this machine: choose one with --host`)
    default:
      return error
  }
}
