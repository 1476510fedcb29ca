import { clusterRoleBindingOf } from '../../src/api/link.ts'
import type { KubeObject } from '../../src/api/object.ts'
import { type Clock, monotonicClock, systemClock } from '../../src/base/clock.ts'
import { systemRandom } from '../../src/base/random.ts'
import { ensureObject } from '../../src/registry/controllers/ensure.ts'
import { systemRequest } from '../../src/registry/controllers/system-request.ts'
import type {
  KeptProof,
  LinkState,
  ProofKeeper,
  TenantLink,
  TenantLinkOptions,
  VirtualApi,
} from '../../src/tenant/link/contract.ts'
import { embeddedApi } from '../../src/tenant/link/embedded-api.ts'
import { startTenantLink } from '../../src/tenant/link/link-keeper.ts'
import type { PlatformKey } from '../../src/tenant/platform-key/contract.ts'
import { keysPath, management, startPlatform, type TestPlatform } from '../platform/platform.ts'
import { watchedLog } from '../support/canary/watched-log.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'

export const tenantScope = { roles: [{ role: 'tenant', projects: ['*'] }] }
export const instances = (project = 'default') => `${management}/namespaces/p-${project}/virtualclusterinstances`
export const inside = (name: string, project = 'default') => `/kubernetes/project/${project}/virtualcluster/${name}`

/** A platform on the real clock, with the project `default` that every platform starts with. */
export function startLinkPlatform(options: TestServerOptions = {}): Promise<TestPlatform> {
  return startPlatform({ clock: systemClock, ...options })
}

/** A key of the administrator with the role for tenants. */
export async function tenantKey(platform: TestPlatform, name: string, scope: object = tenantScope): Promise<string> {
  const body = { metadata: { name }, spec: { user: 'admin', type: 'User', scope } }
  return (await platform.must('POST', keysPath, body)).spec.key
}

export function embedded({ engine }: TestServer): VirtualApi {
  return embeddedApi(engine.server.serveStream, async (role) => {
    const context = engine.registry.engine.find('rbac.authorization.k8s.io', 'ClusterRoleBinding')
    if (context === undefined) throw new Error('bindings are served')
    const binding: KubeObject = clusterRoleBindingOf(role)
    await ensureObject(context, binding, systemRequest('link', new AbortController().signal))
  })
}

export interface Linking {
  readonly name?: string
  readonly serviceUid?: string
  readonly accessKey: string
  readonly url: string
  readonly authority?: string
  readonly project?: string
  readonly virtualApi: VirtualApi
  readonly env?: Readonly<Record<string, string>>
  /** By default the same for every link of one virtual cluster to one platform. */
  readonly proofs?: ProofKeeper
  readonly processName?: string
  /** Accepts any server in place of the platform. */
  readonly insecure?: boolean
  readonly onLicense?: TenantLinkOptions['onLicense']
  readonly elapsed?: Clock
}

export interface TestLink extends TenantLink {
  readonly states: readonly LinkState[]
  readonly key: PlatformKey
  linked(): Promise<Extract<LinkState, { state: 'linked' }>>
  /** Resolves with the next occurrence of this problem. */
  waiting(reason: string): Promise<Extract<LinkState, { state: 'waiting' }>>
}

/** Keeps a proof like the Secret of a host. */
export function keptInMemory(first?: KeptProof): ProofKeeper & { kept: KeptProof | undefined } {
  const keeper = {
    kept: first,
    read: async () => keeper.kept,
    keep: async (proof: KeptProof) => {
      keeper.kept = proof
      return proof
    },
  }
  return keeper
}

const keepers = new Map<string, ProofKeeper>()

function keeperOf({ url, project = '', name = 'dev', serviceUid = '' }: Linking): ProofKeeper {
  const id = JSON.stringify([url, project, name, serviceUid])
  const keeper = keepers.get(id) ?? keptInMemory()
  keepers.set(id, keeper)
  return keeper
}

export function link(linking: Linking): TestLink {
  const { name = 'dev', serviceUid = `uid-of-${name}`, authority, accessKey, url, project } = linking
  const states: LinkState[] = []
  const key: PlatformKey = {
    source: { type: 'environment' },
    url,
    accessKey,
    insecure: linking.insecure ?? false,
    ...(project === undefined ? {} : { project }),
    ...(authority === undefined ? {} : { certificateAuthority: authority }),
  }
  const started = startTenantLink({
    key,
    identity: { name, namespace: 'team-a', serviceUid, version: { tenant: '0.1.0', kubernetes: 'v1.32.0' } },
    proofs: linking.proofs ?? keeperOf(linking),
    processName: linking.processName ?? 'tenant-0',
    virtualApi: linking.virtualApi,
    env: linking.env ?? {},
    elapsed: linking.elapsed ?? monotonicClock,
    random: systemRandom,
    log: watchedLog(),
    onState: (state) => states.push(state),
    ...(linking.onLicense && { onLicense: linking.onLicense }),
  })
  const reached = async <S extends LinkState['state']>(wanted: S, fits: (state: LinkState) => boolean) => {
    let found: LinkState | undefined
    await eventually(() => {
      found = states.find(fits)
      if (found === undefined) throw new Error(`not ${wanted} but ${JSON.stringify(states.at(-1))}`)
    }, 240_000)
    return found
  }
  return {
    get state() {
      return started.state
    },
    states,
    key,
    takeKey: (next) => started.takeKey(next),
    leave: () => started.leave(),
    stop: () => started.stop(),
    linked: async () => {
      await eventually(() => {
        if (started.state.state !== 'linked') throw new Error(`not linked but ${JSON.stringify(started.state)}`)
      }, 240_000)
      const { state } = started
      if (state.state !== 'linked') throw new Error('the link was lost again')
      return state
    },
    waiting: async (reason) => {
      const state = await reached('waiting', (each) => each.state === 'waiting' && each.problem.reason === reason)
      if (state?.state !== 'waiting') throw new Error('it never waited')
      return state
    },
  }
}

export interface LinkedWorld {
  readonly platform: TestPlatform
  readonly virtual: TestServer
  readonly link: TestLink
  /** Calls the virtual cluster through the platform, by default as the administrator. */
  readonly ask: (
    method: string,
    path: string,
    asked?: Parameters<TestPlatform['ask']>[2],
  ) => ReturnType<TestPlatform['ask']>
}

/** A platform and one linked virtual cluster, `dev` in project `default`; stopped at the end of the test or suite. */
export async function startLinkedWorld(
  options: TestServerOptions = {},
): Promise<LinkedWorld & { stop(): Promise<void> }> {
  const [platform, virtual] = await Promise.all([startLinkPlatform(options), startTestServer()])
  const accessKey = await tenantKey(platform, 'tenant-key')
  const { url, authority } = platform.server
  const linked = link({ accessKey, url, authority, virtualApi: embedded(virtual) })
  await linked.linked()
  return {
    platform,
    virtual,
    link: linked,
    ask: (method, path, asked) => platform.ask(method, inside('dev') + path, asked),
    stop: async () => {
      await linked.stop()
      await Promise.all([platform.stop(), virtual.stop()])
    },
  }
}
