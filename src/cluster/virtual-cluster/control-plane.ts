import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CommonFiles, ownFiles } from '../../base/certificates/common-files.ts'
import { systemClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { makeDirectory } from '../../base/make-directory.ts'
import { systemRandom } from '../../base/random.ts'
import { writeWhole } from '../../base/write-whole.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import { parseKubeconfig } from '../../client/kubeconfig/parse.ts'
import { resolveContext } from '../../client/kubeconfig/resolve.ts'
import { Capacity } from '../../registry/quota/capacity.ts'
import type { Amount } from '../../registry/quota/ledger.ts'
import type { AddressOfCopy } from '../../registry/webhooks/service-routes.ts'
import { createOidcTokenAuthenticator, type OidcTokenSettings } from '../../sign-on/oidc-token-authenticator.ts'
import type { TenantPlace } from '../../sync/names/names.ts'
import { syncerUser, virtualClusterOn } from '../clusters.ts'
import { adminToken, keptSecret } from '../identity.ts'
import { printKubeconfig } from '../kubeconfig.ts'
import type { NewSigningKey } from '../new-signing-key.ts'
import { localIdentity } from '../server-identity.ts'
import { type RunningServer, type ServerOptions, startServer } from '../start-server.ts'
import type { ContentLimit } from './content-limit.ts'
import { serverName } from './server-name.ts'

export interface ControlPlaneOptions {
  readonly identity: TenantPlace
  readonly directory: string
  /** As `openStore` takes it. Absent: in the directory. */
  readonly store?: string
  /** What replicas have in common. Absent: there is one, with a store of its own. */
  readonly files?: CommonFiles | undefined
  readonly host: string
  readonly port: number
  readonly contentLimit: ContentLimit
  readonly clusterDomain: string
  readonly server: ServerOptions['server']
  readonly hostMetrics?: ServerOptions['hostMetrics']
  readonly tokensAhead?: ServerOptions['tokensAhead']
  /** An issuer whose ID tokens are taken, too. */
  readonly oidc?: OidcTokenSettings | undefined
  /** Absent: nothing routes the addresses that the host gives to Services. */
  readonly addressOfCopy?: AddressOfCopy | undefined
  /** Where a kubeconfig for a kube-controller-manager goes that acts on workloads. Absent: this process does. */
  readonly controllersKubeconfig?: string | undefined
  /** The store is open, and this process's own. */
  readonly onStoreOpened?: (() => void) | undefined
  readonly onAnswering?: ServerOptions['onAnswering']
  /** Signs tokens of service accounts from the first start on. Absent: one is made. */
  readonly newSigningKey?: NewSigningKey | undefined
  readonly log: Log
}

export interface ControlPlane {
  readonly url: string
  /** File for the administrator of the virtual cluster. */
  readonly kubeconfig: string
  /** Text of a kubeconfig for the administrator, who reaches the server by another URL. */
  kubeconfigAt(url: string): string
  readonly serveStream: RunningServer['serveStream']
  readonly answerAs: RunningServer['answerAs']
  readonly drain: RunningServer['drain']
  /** For the syncer. */
  readonly access: ClusterAccess
  /** How much it may keep from now on. */
  limitTo(most: Amount): void
  stop(): Promise<void>
}

const tokenBytes = 32

/** Its rights are those of Kubernetes: to act in the names of its controllers, which have few each. */
const controllerManagerUser = 'system:kube-controller-manager'

/** The embedded API of a virtual cluster. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { directory, identity, newSigningKey, files = ownFiles, log } = options
  makeDirectory(directory)
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
    store: options.store ?? `file:${join(directory, 'virtual')}`,
    cluster: virtualClusterOn(options.addressOfCopy, managerToken === undefined ? 'embedded' : 'external'),
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
    capacity,
    hostMetrics: options.hostMetrics,
    tokensAhead: options.tokensAhead,
    ...(options.server && { server: options.server }),
    ...(oidcTokens && { oidcTokens }),
  })
  const { certificateAuthority, serveStream, answerAs, drain } = server
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
  return { url, kubeconfig, kubeconfigAt, access, serveStream, answerAs, drain, limitTo, stop }
}

/** Made once: a kube-controller-manager that runs need not be told that this process began again. */
async function controllerManagerToken(directory: string): Promise<string> {
  return (await keptSecret(join(directory, 'controller-manager.key'), async () => newToken())).value
}

function newToken(): string {
  return Buffer.from(systemRandom.bytes(tokenBytes)).toString('base64url')
}

/** How the Service of a tenant on its host is called by who is there. */
function serviceNames({ tenant, hostNamespace }: TenantPlace): readonly string[] {
  const name = `${tenant}.${hostNamespace}`
  return [tenant, name, `${name}.svc`, `${name}.svc.cluster.local`]
}

/** How Pods of the virtual cluster call its API. */
function podNames({ clusterDomain }: ControlPlaneOptions): readonly string[] {
  const name = 'kubernetes.default'
  return ['kubernetes', name, `${name}.svc`, `${name}.svc.${clusterDomain}`]
}

/** A server that listens on all addresses is reached by this one. */
function loopbackUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:')
}
