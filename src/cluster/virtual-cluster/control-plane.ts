import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { type CommonFiles, ownFiles } from '../../base/certificates/common-files.ts'
import { systemClock } from '../../base/clock.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { writeWhole } from '../../base/files/write-whole.ts'
import type { Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import { parseKubeconfig } from '../../client/kubeconfig/parse.ts'
import { resolveContext } from '../../client/kubeconfig/resolve.ts'
import { Capacity } from '../../registry/quota/capacity.ts'
import type { Amount } from '../../registry/quota/ledger.ts'
import type { AddressOfCopy } from '../../registry/webhooks/service-routes.ts'
import { createOidcTokenAuthenticator, type OidcTokenSettings } from '../../sign-on/oidc-token-authenticator.ts'
import type { TenantPlace } from '../../sync/names/names.ts'
import { syncerUser, virtualClusterOn } from '../clusters.ts'
import { adminToken, keptSecret } from '../identity/kept-secret.ts'
import type { NewSigningKey } from '../identity/new-signing-key.ts'
import { localIdentity } from '../identity/server-identity.ts'
import { printKubeconfig } from '../kubeconfig.ts'
import { type EngineChoices, type RunningServer, type ServerOptions, startServer } from '../start-server.ts'
import { closedServices } from './closed-services.ts'
import type { ContentLimit } from './content-limit.ts'
import { importedObjects } from './imported-objects.ts'
import { kindsWithoutEffect } from './kinds-without-effect.ts'
import { embeddedStoreIn, moveEmbedded } from './move-embedded.ts'
import { serverName } from './server-name.ts'

export interface ControlPlaneOptions {
  readonly identity: TenantPlace
  readonly directory: string
  /** In the format of `openStore`. Absent: in the directory. */
  readonly store?: string
  /** The files that replicas share. Absent: there is one replica with its own store. */
  readonly files?: CommonFiles | undefined
  readonly host: string
  readonly port: number
  readonly contentLimit: ContentLimit
  readonly clusterDomain: string
  readonly server: ServerOptions['server']
  readonly hostMetrics?: EngineChoices['hostMetrics']
  readonly tokensAhead?: EngineChoices['tokensAhead']
  /** What is synced now. */
  readonly config: () => Pick<EffectiveConfig, 'sync' | 'policies'>
  /** An additional issuer whose ID tokens are accepted. */
  readonly oidc?: OidcTokenSettings | undefined
  /** Absent: nothing routes the addresses that the host assigns to Services. */
  readonly addressOfCopy?: AddressOfCopy | undefined
  /**
   * The file for the kubeconfig of a kube-controller-manager that handles workloads. Absent: this process handles them.
   */
  readonly controllersKubeconfig?: string | undefined
  /** The store is open, and used only by this process. */
  readonly onStoreOpened?: (() => void) | undefined
  readonly onAnswering?: ServerOptions['onAnswering']
  /** The key for service account tokens at the first start. Absent: one is made. */
  readonly newSigningKey?: NewSigningKey | undefined
  readonly log: Log
}

export interface ControlPlane {
  readonly url: string
  /** File for the administrator of the virtual cluster. */
  readonly kubeconfig: string
  /** A kubeconfig for the administrator with another URL. */
  kubeconfigAt(url: string): string
  readonly serveStream: RunningServer['serveStream']
  readonly answerAt: RunningServer['answerAt']
  readonly drain: RunningServer['drain']
  /** For the syncer. */
  readonly access: ClusterAccess
  /** Limits how much it may store from now on. */
  limitTo(most: Amount): void
  stop(): Promise<void>
}

const tokenBytes = 32

/** Its rights are those of Kubernetes: to act as its controllers, which have few rights each. */
const controllerManagerUser = 'system:kube-controller-manager'

/** The embedded API of a virtual cluster. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { directory, identity, newSigningKey, files = ownFiles, log } = options
  makeDirectory(directory)
  if (options.store !== undefined) await moveEmbedded(directory, options.store, log)
  const syncerToken = newToken()
  const managerToken = options.controllersKubeconfig && (await controllerManagerToken(directory))
  const tokens = [
    { token: syncerToken, name: syncerUser, groups: ['system:masters'] },
    ...(managerToken === undefined ? [] : [{ token: managerToken, name: controllerManagerUser, groups: [] }]),
  ]
  const admin = await files.around(() => adminToken(directory, systemRandom))
  const oidcTokens = options.oidc && createOidcTokenAuthenticator(options.oidc, systemClock)
  const capacity = new Capacity(options.contentLimit.most, options.contentLimit.advice)
  const server = await startServer({
    name: serverName,
    directory,
    store: options.store ?? embeddedStoreIn(directory),
    cluster: virtualClusterOn({
      addressOfCopy: options.addressOfCopy,
      controllers: managerToken === undefined ? 'embedded' : 'external',
      servicesAreSynced: () => options.config().sync.toHost.services.enabled,
      claimsAreSynced: () => options.config().sync.toHost.persistentVolumeClaims.enabled,
      admission: [
        kindsWithoutEffect(() => options.config().sync.toHost),
        closedServices(options.config),
        importedObjects,
      ],
    }),
    files,
    onStoreOpened: options.onStoreOpened,
    onAnswering: options.onAnswering,
    identity: (store) =>
      localIdentity({
        directory,
        name: serverName,
        tokens,
        newSigningKey,
        ...(!store.soleWriter && { among: { store, log } }),
      }),
    port: options.port,
    host: options.host,
    names: [...serviceNames(identity), ...podNames(options)],
    log,
    engine: {
      capacity,
      hostMetrics: options.hostMetrics,
      tokensAhead: options.tokensAhead,
      ...(oidcTokens && { oidcTokens }),
    },
    ...(options.server && { server: options.server }),
  })
  const { certificateAuthority, serveStream, answerAt, drain } = server
  const stop = async () => {
    await server.stop()
    await oidcTokens?.close()
  }
  const url = loopbackUrl(server.url)
  const kubeconfigFor = (token: string, at: string) =>
    printKubeconfig([{ name: identity.tenant, server: at, certificateAuthority, token }])
  const kubeconfigAt = (at: string) => kubeconfigFor(admin.value, at)
  const kubeconfig = join(directory, 'kubeconfig')
  writeFileSync(kubeconfig, kubeconfigAt(url), { mode: 0o600 })
  if (options.controllersKubeconfig !== undefined && managerToken !== undefined) {
    writeWhole(options.controllersKubeconfig, kubeconfigFor(managerToken, url))
  }
  const own = parseKubeconfig(kubeconfigFor(syncerToken, url), kubeconfig)
  const access = { ...(await resolveContext(own, { clock: systemClock, env: {} })), local: server.local }
  const limitTo = (most: Amount) => capacity.limitTo(most)
  return { url, kubeconfig, kubeconfigAt, access, serveStream, answerAt, drain, limitTo, stop }
}

/** Made once, so that a running kube-controller-manager need not be told that this process restarted. */
async function controllerManagerToken(directory: string): Promise<string> {
  return (await keptSecret(join(directory, 'controller-manager.key'), async () => newToken())).value
}

function newToken(): string {
  return Buffer.from(systemRandom.bytes(tokenBytes)).toString('base64url')
}

/** The names of a tenant's Service on its host. */
function serviceNames({ tenant, hostNamespace }: TenantPlace): readonly string[] {
  const name = `${tenant}.${hostNamespace}`
  return [tenant, name, `${name}.svc`, `${name}.svc.cluster.local`]
}

/** The names by which Pods of the virtual cluster reach its API. */
function podNames({ clusterDomain }: ControlPlaneOptions): readonly string[] {
  const name = 'kubernetes.default'
  return ['kubernetes', name, `${name}.svc`, `${name}.svc.${clusterDomain}`]
}

/** The address for reaching a server that listens on all addresses. */
function loopbackUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:')
}
