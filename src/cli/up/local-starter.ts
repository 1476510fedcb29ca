import { mkdirSync } from 'node:fs'
import { hostname } from 'node:os'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { Log } from '../../base/log.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import { type RunningTenant, startTenant } from '../../cluster/virtual-cluster/start-tenant.ts'
import { checkConfig } from '../../patches/config/check-config.ts'
import type { Amount } from '../../registry/quota/ledger.ts'
import { lacksHostAddresses, withHostAddresses } from '../config/host-addresses.ts'
import { accessManifests } from '../create/manifests/access.ts'
import { namespaceManifest, serviceManifest } from '../create/manifests/all.ts'
import type { TenantDeployment } from '../create/manifests/contract.ts'
import { nothingResolved } from '../create/resolve-resources.ts'
import { ensureTenantKey, keySecret, revokeKey } from '../create/tenant-key.ts'
import { keptProof } from '../create/tenant-proof.ts'
import { undeploy } from '../delete/undeploy.ts'
import { applyToHost } from '../host/apply/apply-object.ts'
import { readHostAddresses } from '../host/host-addresses.ts'
import { existing, objectKeyOf, servedTypeOf } from '../host/objects.ts'
import { instanceLabel } from '../host/owner-labels.ts'
import { quietProgress } from '../output/progress.ts'
import type { Session } from '../platform/session.ts'
import type { LocalInstance } from './local-instance.ts'
import { keepRecord, readLocalRecord } from './local-record.ts'

export interface LocalStarterOptions {
  readonly host: KubeClient
  /** One for each virtual cluster: the host shares its places and watches among callers. */
  readonly hostAccess: (instance: LocalInstance) => Promise<ClusterAccess>
  /** An administrator of the platform. */
  readonly session: Session
  readonly issuerKey: string
  /** Of every virtual cluster. */
  readonly capacity: Amount
  readonly log: Log
}

const loopback = '127.0.0.1'

/** Starts virtual clusters in this process: the same as in a pod, but for the pod. */
export class LocalStarter {
  readonly #options: LocalStarterOptions

  constructor(options: LocalStarterOptions) {
    this.#options = options
  }

  async start(instance: LocalInstance, config: EffectiveConfig, folder: string): Promise<RunningTenant> {
    const { hostAccess, issuerKey, capacity, log } = this.#options
    await this.prepare(instance, config, folder)
    return startTenant({
      identity: { tenant: instance.tenant, hostNamespace: instance.namespace },
      config,
      host: await hostAccess(instance),
      virtual: { form: 'embedded', directory: folder, host: loopback, port: 0, capacity },
      issuerKey,
      processName: hostname(),
      env: {},
      log: log.child({ virtualCluster: `${instance.project}/${instance.name}` }),
    })
  }

  /** With the addresses of the host, as `tenant create` writes them down elsewhere. */
  async configured(config: EffectiveConfig): Promise<EffectiveConfig> {
    if (!lacksHostAddresses(config)) return config
    return withHostAddresses(config, (await readHostAddresses(this.#options.host)).ranges)
  }

  /** Takes away what it had on the host, and its key. */
  async remove(folder: string): Promise<void> {
    const record = await readLocalRecord(folder)
    if (record === undefined) return
    const { host, session } = this.#options
    const { config } = checkConfig(record.config, 'tenant.yaml')
    const deployment = deploymentOf(record, effectiveConfig(config ?? {}))
    const { madeNamespace } = record
    const made = { manifests: [...accessManifests(deployment), serviceManifest(deployment)], madeNamespace }
    await undeploy(host, deployment, made, { progress: quietProgress, keepData: false })
    if (record.key !== undefined) await revokeKey(session, { platform: session.platform.name, name: record.key })
  }

  /** Makes its place on the host, and the key by which it links. What is there stays. */
  async prepare(instance: LocalInstance, config: EffectiveConfig, folder: string): Promise<void> {
    const { host, session } = this.#options
    const { project, name } = instance
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const deployment = deploymentOf(instance, config)
    const before = await readLocalRecord(folder)
    const namespace = namespaceManifest(deployment)
    const isNew = (await existing(host, namespace)) === undefined
    if (isNew) await applyToHost(host, namespace, undefined)
    await applyToHost(host, serviceManifest(deployment), undefined)
    const hasOwnSource = config.external.platform?.apiKey !== undefined
    if (!hasOwnSource) await refuseOthersPlace(host, instance)
    const warn = (text: string) => this.#options.log.warn(text)
    const minted = hasOwnSource ? undefined : await ensureTenantKey(host, deployment, session, { project, name }, warn)
    await keepAddress(host, deployment, session.platform.url)
    const key = minted?.name ?? before?.key
    const madeNamespace = before?.madeNamespace ?? isNew
    keepRecord(folder, { ...instance, madeNamespace, ...(key !== undefined && { key }) })
  }
}

/** Two virtual clusters that run under one name in one namespace would be one and the same. */
async function refuseOthersPlace(host: KubeClient, instance: LocalInstance): Promise<void> {
  const { tenant, namespace, project, name } = instance
  const kept = await keptProof(host, { name: tenant, namespace })
  if (kept === undefined || (kept.project === project && kept.name === name)) return
  throw new Error(
    `the namespace ${namespace} of the host holds the virtual cluster ${kept.name} of project ${kept.project} under the name ` +
      `${tenant}; give ${name} of project ${project} another spec.clusterRef.namespace`,
  )
}

function deploymentOf(
  { tenant, namespace, config: configText }: LocalInstance,
  config: EffectiveConfig,
): TenantDeployment {
  const resources = nothingResolved
  return { name: tenant, namespace, config, configText, image: '', resources, ownsNamespace: false }
}

/** The platform may have another port than at its last start: the Secret with a key that was made here says so. */
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
