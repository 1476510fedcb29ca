import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coreKinds } from '../../../src/api/core/kinds.ts'
import type { Kind } from '../../../src/api/kind.ts'
import { createStaticTokenAuthenticator } from '../../../src/auth/static-tokens.ts'
import { ensureCertificates } from '../../../src/base/certificates/ensure.ts'
import { monotonicClock, systemClock } from '../../../src/base/clock.ts'
import { systemRandom } from '../../../src/base/random.ts'
import { type ClusterType, clusters } from '../../../src/cluster/clusters.ts'
import { clusterControllers } from '../../../src/cluster/controllers/controllers.ts'
import { createApiEngine } from '../../../src/cluster/engine/api-engine.ts'
import type { ApiEngine, ApiEngineOptions } from '../../../src/cluster/engine/engine-contract.ts'
import { ServiceAccountKeyring } from '../../../src/cluster/identity/service-account-keyring.ts'
import { printKubeconfig } from '../../../src/cluster/kubeconfig.ts'
import { serverVersion } from '../../../src/cluster/server-version.ts'
import { openLmdbStore } from '../../../src/storage/lmdb/open.ts'
import { watchedLog } from '../canary/watched-log.ts'
import { watchOwnLoop } from '../loop-watch/watch-own-servers.ts'

export interface TestServer {
  readonly engine: ApiEngine
  readonly port: number
  readonly url: string
  readonly authority: string
  readonly directory: string
  /** A kubeconfig for one of the users below. */
  kubeconfig(user?: 'admin' | 'alice'): string
  stop(): Promise<void>
}

export type TestToken = Parameters<typeof createStaticTokenAuthenticator>[0][number]

export const testTokens: readonly TestToken[] = [
  { token: 'admin-token', name: 'admin', uid: 'admin-uid', groups: ['system:masters'] },
  { token: 'alice-token', name: 'alice', uid: 'alice-uid', groups: ['dev'] },
]

export interface TestServerOptions extends Partial<Omit<ApiEngineOptions, 'store' | 'authenticator'>> {
  /** Reused, and kept when the server stops. */
  readonly directory?: string
  readonly port?: number
  readonly store?: ApiEngineOptions['store']
  readonly minorVersion?: string
  /** The known tokens, instead of `testTokens`. */
  readonly tokens?: readonly TestToken[]
}

/** The longest time that open connections of tests delay the end of their server. */
const shutdownTimeoutMs = 300

/** A complete API server on loopback, with real storage and TLS. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), 'tenant-server-')))
  const store = options.store ?? (await openLmdbStore({ directory: join(directory, 'store') }))
  const pki = join(directory, 'pki')
  const certificates = await ensureCertificates({ directory: pki, name: 'server', names: [], clock: systemClock })
  const keys = await ServiceAccountKeyring.open(pki, systemClock)
  const kinds: readonly Kind[] = options.kinds ?? coreKinds()
  const engine = await createApiEngine({
    cluster: options.platform === undefined ? apiServerOf(kinds) : clusters.platform,
    tls: { key: certificates.key, cert: certificates.certificate },
    rootCertificate: certificates.authority,
    tokenSigner: keys,
    verifyingKeys: () => keys.verifying(),
    version: serverVersion(options.minorVersion),
    clock: systemClock,
    elapsed: options.clock ?? monotonicClock,
    random: systemRandom,
    log: watchedLog(),
    ...options,
    server: { ...options.server, limits: { shutdownTimeoutMs, ...options.server?.limits } },
    kinds,
    store,
    authenticator: createStaticTokenAuthenticator(options.tokens ?? testTokens),
  })
  const unwatch = watchOwnLoop()
  const { port } = await engine.server.listen(options.port ?? 0, '127.0.0.1')
  await engine.startCluster({ host: '127.0.0.1', port })
  const url = `https://127.0.0.1:${port}`
  return {
    engine,
    port,
    url,
    directory,
    authority: certificates.authority,
    kubeconfig: (user = 'admin') =>
      printKubeconfig([
        { name: 'test', server: url, certificateAuthority: certificates.authority, token: `${user}-token` },
      ]),
    stop: async () => {
      await engine.stop()
      unwatch()
      if (options.store === undefined) await store.close()
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Workload controllers run if workloads are served. */
function apiServerOf(kinds: readonly Kind[]): ClusterType {
  const servesWorkloads = kinds.some(({ kind }) => kind === 'Deployment')
  return servesWorkloads ? clusters.apiServer : { ...clusters.apiServer, controllers: clusterControllers }
}
