import { hostname } from 'node:os'
import { objectKeyOf } from '../../../api/object.ts'
import { effectiveConfig } from '../../../api/tenant-config/defaults.ts'
import type { EffectiveConfig } from '../../../api/tenant-config/types.ts'
import { makeDirectory } from '../../../base/files/make-directory.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { Log } from '../../../base/log.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { type RunningTenant, startTenant } from '../../../cluster/virtual-cluster/start-tenant.ts'
import { checkConfig } from '../../../patches/config/check-config.ts'
import type { Amount } from '../../../registry/quota/ledger.ts'
import type { RequestTracing } from '../../../server/tracing/trace-exchange.ts'
import { given } from '../../arguments/given.ts'
import { lacksHostAddresses, withHostAddresses } from '../../config/host-addresses.ts'
import { accessManifests } from '../../create/manifests/access.ts'
import { namespaceManifest, serviceManifest } from '../../create/manifests/all.ts'
import type { TenantDeployment } from '../../create/manifests/contract.ts'
import { nothingResolved, resolveResources } from '../../create/resolve-resources.ts'
import { ensureTenantKey, keySecret, revokeKey } from '../../create/tenant-key.ts'
import { keptProof } from '../../create/tenant-proof.ts'
import { undeploy } from '../../delete/undeploy.ts'
import { applyToHost } from '../../host/apply/apply-object.ts'
import { readHostAddresses } from '../../host/host-addresses.ts'
import { existing, servedTypeOf } from '../../host/objects.ts'
import { instanceLabel } from '../../host/owner-labels.ts'
import { quietProgress } from '../../output/progress.ts'
import type { Session } from '../../platform/session.ts'
import type { UpHost } from '../host/up-host.ts'
import type { LocalInstance } from './local-instance.ts'
import { keepRecord, readLocalRecord } from './local-record.ts'
import { localEndpoints, localService, portsOf } from './local-services.ts'

export interface LocalStarterOptions {
  readonly host: UpHost
  /** An administrator of the platform. */
  readonly session: Session
  readonly issuerKey: string
  /** For each virtual cluster. */
  readonly capacity: Amount
  readonly tracing?: Omit<RequestTracing, 'server'>
  readonly log: Log
}

const loopback = '127.0.0.1'

/** Starts virtual clusters in this process, as in a pod but without one. */
export class LocalStarter {
  readonly #options: LocalStarterOptions

  constructor(options: LocalStarterOptions) {
    this.#options = options
  }

  async start(instance: LocalInstance, config: EffectiveConfig, folder: string): Promise<RunningTenant> {
    const { host, issuerKey, capacity, tracing, log } = this.#options
    const reachedAt = host.real?.reachedAt
    await this.prepare(instance, config, folder)
    const running = await startTenant({
      identity: { tenant: instance.tenant, hostNamespace: instance.namespace },
      config,
      host: await host.accessOf(instance),
      virtual: { form: 'embedded', directory: folder, host: reachedAt ?? loopback, port: 0, capacity },
      ...(reachedAt !== undefined && { dns: { host: reachedAt, port: 0 } }),
      issuerKey,
      processName: hostname(),
      env: {},
      known: { url: this.#options.session.platform.url, uid: instance.uid },
      ...given({ tracing }),
      log: log.child({ virtualCluster: `${instance.project}/${instance.name}` }),
    })
    if (reachedAt === undefined) return running
    const endpoints = localEndpoints(deploymentOf(instance, config), reachedAt, portsOf(running))
    await applyToHost(host.client, endpoints, undefined).catch(async (error: unknown) => {
      await running.stop()
      throw error
    })
    return running
  }

  /** Adds the addresses of the host, which `tenant create` writes down elsewhere. */
  async configured(config: EffectiveConfig): Promise<EffectiveConfig> {
    if (!lacksHostAddresses(config)) return config
    return withHostAddresses(config, (await readHostAddresses(this.#options.host.client)).ranges)
  }

  /** Removes its objects on the host, and its key. */
  async remove(folder: string): Promise<void> {
    const record = await readLocalRecord(folder)
    if (record === undefined) return
    const { session } = this.#options
    const { client: host } = this.#options.host
    const { config } = checkConfig(record.config, 'tenant.yaml')
    const deployment = deploymentOf(record, effectiveConfig(config ?? {}))
    const { madeNamespace } = record
    const made = { manifests: [...accessManifests(deployment), serviceManifest(deployment)], madeNamespace }
    await undeploy(host, deployment, made, { progress: quietProgress, keepData: false })
    if (record.key !== undefined) await revokeKey(session, { platform: session.platform.name, name: record.key })
  }

  /** Creates its place on the host, and the key with which it links. Existing objects stay. */
  async prepare(instance: LocalInstance, config: EffectiveConfig, folder: string): Promise<void> {
    const { session } = this.#options
    const { client: host, real } = this.#options.host
    const { project, name } = instance
    makeDirectory(folder)
    const deployment = deploymentOf(instance, config)
    const before = await readLocalRecord(folder)
    const namespace = namespaceManifest(deployment)
    const isNew = (await existing(host, namespace)) === undefined
    if (isNew) await applyToHost(host, namespace, undefined)
    await applyToHost(host, real === undefined ? serviceManifest(deployment) : localService(deployment), undefined)
    if (real !== undefined) await giveRights(host, deployment)
    const hasOwnSource = config.external.platform?.apiKey !== undefined
    if (!hasOwnSource) await refuseOthersPlace(host, instance)
    const keyOptions = { onUnmanaged: (text: string) => this.#options.log.warn(text), instanceUid: instance.uid }
    const ensured = hasOwnSource
      ? undefined
      : await ensureTenantKey(host, deployment, session, { project, name }, keyOptions)
    await keepAddress(host, deployment, session.platform.url)
    const key = ensured?.isNew ? ensured.key.name : (before?.key ?? ensured?.key.name)
    const madeNamespace = before?.madeNamespace ?? isNew
    keepRecord(folder, { ...instance, madeNamespace, ...(key !== undefined && { key }) })
  }
}

/** Two virtual clusters with the same name in one namespace would be indistinguishable. */
async function refuseOthersPlace(host: KubeClient, instance: LocalInstance): Promise<void> {
  const { tenant, namespace, project, name } = instance
  const kept = await keptProof(host, { name: tenant, namespace })
  if (kept === undefined || (kept.project === project && kept.name === name)) return
  throw new Error(
    `the namespace ${namespace} of the host holds the virtual cluster ${kept.name} of project ${kept.project} under the name ` +
      `${tenant}; give ${name} of project ${project} another spec.clusterRef.namespace`,
  )
}

/** On a real cluster a virtual cluster acts as its ServiceAccount. The embedded host belongs to this process. */
async function giveRights(host: KubeClient, deployment: TenantDeployment): Promise<void> {
  const resources = await resolveResources(deployment.config, host, deployment.namespace)
  for (const manifest of accessManifests({ ...deployment, resources })) await applyToHost(host, manifest, undefined)
}

function deploymentOf(
  { tenant, namespace, config: configText }: Pick<LocalInstance, 'tenant' | 'namespace' | 'config'>,
  config: EffectiveConfig,
): TenantDeployment {
  const resources = nothingResolved
  return { name: tenant, namespace, config, configText, image: '', resources, ownsNamespace: false }
}

/** The platform may have another port than at its last start: updates the Secret with a key that was created here. */
async function keepAddress(
  host: KubeClient,
  tenant: Pick<TenantDeployment, 'name' | 'namespace'>,
  url: string,
): Promise<void> {
  const secret = await existing(host, keySecret(tenant, {}))
  if (secret?.metadata.labels?.[instanceLabel] !== tenant.name) return
  const address = Buffer.from(url).toString('base64')
  if (isJsonObject(secret.data) && secret.data.host === address) return
  await host.patch(await servedTypeOf(host, secret), objectKeyOf(secret), {
    type: 'merge',
    body: { data: { host: address } },
  })
}
