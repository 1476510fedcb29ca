import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { coreKinds } from '../../api/core/kinds.ts'
import type { Kind } from '../../api/kind.ts'
import { systemClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import { parseKubeconfig } from '../../client/kubeconfig/parse.ts'
import { resolveContext } from '../../client/kubeconfig/resolve.ts'
import { serviceWithFollowedAddresses } from '../../registry/allocation/followed-addresses.ts'
import { adminToken, serviceAccountKeys } from '../engine/identity.ts'
import { printKubeconfig } from '../engine/kubeconfig.ts'
import { type ServerOptions, startServer } from '../engine/start-server.ts'

export interface ControlPlaneOptions {
  readonly tenant: string
  readonly directory: string
  readonly host: string
  readonly port: number
  readonly server: ServerOptions['server']
  readonly log: Log
}

export interface ControlPlane {
  readonly url: string
  /** For the administrator of the virtual cluster. */
  readonly kubeconfig: string
  /** For the syncer. */
  readonly access: ClusterAccess
  stop(): Promise<void>
}

const syncer = 'system:tenant:syncer'
const tokenBytes = 32

/** The embedded API of a virtual cluster. Its Services have the addresses that the host assigns to their copies. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { directory, tenant } = options
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const admin = await adminToken(directory, systemRandom)
  const syncerToken = Buffer.from(systemRandom.bytes(tokenBytes)).toString('base64url')
  const server = await startServer({
    name: 'virtual',
    directory,
    store: `file:${join(directory, 'virtual')}`,
    kinds: coreKinds().map(followingAddresses),
    adminToken: admin.value,
    tokens: [{ token: syncerToken, name: syncer, groups: ['system:masters'] }],
    addressesFilledInBy: syncer,
    serviceAccountKeys: await serviceAccountKeys(join(directory, 'pki', 'virtual')),
    port: options.port,
    host: options.host,
    log: options.log,
    ...(options.server && { server: options.server }),
  })
  const kubeconfigFor = (token: string) =>
    printKubeconfig([{ name: tenant, server: server.url, certificateAuthority: server.certificateAuthority, token }])
  const kubeconfig = join(directory, 'kubeconfig')
  writeFileSync(kubeconfig, kubeconfigFor(admin.value), { mode: 0o600 })
  const own = parseKubeconfig(Buffer.from(kubeconfigFor(syncerToken)).toString(), kubeconfig)
  const access = await resolveContext(own, { clock: systemClock, env: {} })
  return { url: server.url, kubeconfig, access, stop: server.stop }
}

function followingAddresses(kind: Kind): Kind {
  return kind.group === '' && kind.kind === 'Service' ? serviceWithFollowedAddresses : kind
}
