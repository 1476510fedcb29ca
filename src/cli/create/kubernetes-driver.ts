import { ownConfig } from '../../api/tenant-config/parse.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { asMembers } from '../../base/json/lenient.ts'
import type { KubeClient } from '../../client/contract.ts'
import { checkConfig } from '../../patches/config/check-config.ts'
import { showsNodes } from '../../sync/nodes/shows-nodes.ts'
import { lacksHostAddresses, writtenWithHostAddresses } from '../config/host-addresses.ts'
import { isMadeFor } from '../host/apply/objects.ts'
import { showChanges } from '../host/apply/show-changes.ts'
import { readHostAddresses } from '../host/host-addresses.ts'
import { onHost } from '../host/host-cluster.ts'
import type { Manifest } from '../host/manifest.ts'
import { existing } from '../host/objects.ts'
import { type AwaitedWorkload, waitUntilReady } from '../host/rollout/wait-ready.ts'
import { registerTenant, unregisterTenant } from '../instances/registration.ts'
import { localPlatforms } from '../local-platforms/find.ts'
import { howToLogIn } from '../local-platforms/how-to-log-in.ts'
import { say, warn } from '../output/messages.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { deploy } from './deploy.ts'
import type { DriverTools, TenantDriver, TenantOrder } from './driver.ts'
import { imageByDefault } from './image-choice.ts'
import { namespaceManifest } from './manifests/all.ts'
import type { TenantDeployment } from './manifests/contract.ts'
import { isolationManifests } from './manifests/isolation/isolation.ts'
import { selectorLabels } from './manifests/labels.ts'
import type { CreateCommandOptions } from './options.ts'
import { resolveResources } from './resolve-resources.ts'
import { ensureTenantKey, revokeKey, revokeRecordedKey } from './tenant-key.ts'
import { lostProof } from './tenant-proof.ts'
import { type DeployRecord, readApplyRecord } from './tenant-record.ts'

/** Applies objects to a cluster of the kubeconfig, which runs them. */
export const kubernetesDriver: TenantDriver = {
  create: (order, tools) =>
    onHost(order.options, tools.terminal, async ({ client: host }) => {
      const { options } = order
      const { progress, terminal, signal } = tools
      await requireWorkloads(host, terminal)
      const filled = { ...order, ...(await configFor(host, order, tools)) }
      const resources = await resolveResources(filled.config, host, options.namespace)
      const before = options.upgrade ? await readApplyRecord(host, options) : undefined
      const deployment = deploymentOf(
        filled,
        { resources, ownsNamespace: await ownsNamespace(host, options) },
        before?.manifests,
      )
      let isNewlyRegistered = false
      const { kept, left, warnings } = await deploy(host, deployment, {
        upgrade: options.upgrade,
        patienceMs: options.wait ? options.timeoutSeconds * 1000 : 0,
        progress,
        signal,
        askedIsolation: askedIsolation(order.text),
        onChanges: (before, after) => showChanges(before, after, terminal),
        prepare: async (record) => {
          const { isNew, ...prepared } = await onPlatformFirst(order, tools, record, host)
          isNewlyRegistered = isNew
          return { ...(record?.key && { key: record.key }), ...prepared }
        },
        withdraw: (prepared) => withdraw(order, prepared, isNewlyRegistered),
        whenApplied: async () => {
          if (!options.wait) return
          progress.step(`Waiting until ${options.name} is ready`)
          const timeoutMs = options.timeoutSeconds * 1000
          await waitUntilReady(host, awaitedOf(deployment), { timeoutMs, progress, signal })
        },
      })
      for (const { field, message } of kept) warn(terminal, `${field} stays as it is: ${message}`)
      for (const text of [...warnings, ...lackingRights(deployment, left)]) warn(terminal, text)
    }),
}

/** Members of `policies.isolation` that an operator has specified, with any value. */
function askedIsolation(text: string): readonly string[] {
  return Object.keys(checkConfig(text, 'tenant.yaml', ownConfig).config?.policies?.isolation ?? {})
}

/** What is missing for lack of rights, and was missing before. */
function lackingRights(deployment: TenantDeployment, left: readonly Manifest[]): readonly string[] {
  const { config, resources } = deployment
  const isLeft = (...kinds: readonly string[]) => left.some(({ kind }) => kinds.includes(kind))
  const lacksNodes = showsNodes(config) && !resources.mayReadNodes && !isLeft('ClusterRole')
  const wanted = isolationManifests({ ...deployment, resources: { ...resources, mayLimit: true } })
  const lacksLimits = wanted.length > isolationManifests(deployment).length && !isLeft('ResourceQuota', 'LimitRange')
  return [...(lacksNodes ? [withoutNodes] : []), ...(lacksLimits ? [withoutLimits] : [])]
}

const withoutLimits =
  'no ResourceQuota and LimitRange are made: you may not write them; an administrator of the host can with tenant create --upgrade and policies.isolation.resourceQuota.enabled in tenant.yaml'

const withoutNodes =
  'no nodes will be seen in the virtual cluster: you may not give it the right to read nodes of the host; an administrator of the host can with tenant create --upgrade, or set sync.fromHost.nodes.mode to none'

/** The tenant may not look up the addresses of its host, so `tenant create` writes them into its configuration. */
async function configFor(host: KubeClient, order: TenantOrder, { progress, terminal }: DriverTools) {
  if (!lacksHostAddresses(order.config)) return order
  progress.step('Addresses of the host')
  const { ranges, unread } = await readHostAddresses(host)
  for (const each of unread) {
    warn(terminal, `which addresses belong to the host is not fully known (${each}); ${whereToSay}`)
  }
  return writtenWithHostAddresses(order, ranges)
}

const whereToSay = 'name them in policies.sync.endpointAddresses.host'

/**
 * A namespace created by others has their quotas and policies: nothing is added to it. One under deletion is recreated.
 */
async function ownsNamespace(host: KubeClient, tenant: Pick<TenantDeployment, 'name' | 'namespace'>): Promise<boolean> {
  const manifest = namespaceManifest(tenant)
  const found = await existing(host, manifest)
  return found === undefined || found.metadata.deletionTimestamp !== undefined || isMadeFor(found, manifest)
}

export function deploymentOf(
  order: TenantOrder,
  host: Pick<TenantDeployment, 'resources' | 'ownsNamespace'>,
  before: readonly Manifest[] = [],
): TenantDeployment {
  const { options, config, text } = order
  const { name, namespace, image, licenseIssuer } = options
  const podManagement = podManagementOf(config, before)
  return {
    name,
    namespace,
    config,
    configText: text,
    image: config.controlPlane.image ?? image ?? imageByDefault(name, before),
    ...host,
    ...(podManagement !== undefined && { podManagement }),
    ...(licenseIssuer !== undefined && { issuerKey: licenseIssuer }),
  }
}

/**
 * Replicas do not wait for each other, so that one that cannot start does not hold up the others. An existing set stays
 * as it was created.
 */
function podManagementOf({ controlPlane }: EffectiveConfig, before: readonly Manifest[]): 'Parallel' | undefined {
  const made = before.find(({ kind }) => kind === 'StatefulSet')
  if (made === undefined) return controlPlane.replicas > 1 ? 'Parallel' : undefined
  return asMembers(made.spec).podManagementPolicy === 'Parallel' ? 'Parallel' : undefined
}

function awaitedOf(deployment: TenantDeployment): AwaitedWorkload {
  const { name, namespace } = deployment
  return { kind: 'StatefulSet', name, namespace, podLabels: selectorLabels(deployment), shownAs: 'the tenant' }
}

/** Explicit settings of the key suppress its Secret, but not the registration. */
async function onPlatformFirst(
  { platform, options, config }: TenantOrder,
  { progress, terminal }: DriverTools,
  record: DeployRecord | undefined,
  host: KubeClient,
): Promise<Pick<DeployRecord, 'key' | 'project'> & { readonly isNew: boolean }> {
  if (platform === undefined) return { isNew: false, ...(record?.project !== undefined && { project: record.project }) }
  const { session } = platform
  const project = projectFor(platform.project, options, record)
  const registered = { project, name: options.name }
  progress.step(`Registering ${options.name} in project ${project}`)
  const isNew = await registerTenant(session, { ...registered, namespace: options.namespace })
  const lost = isNew ? undefined : await lostProof(session, host, options, registered)
  if (lost !== undefined && record === undefined) throw new Error(lost)
  if (lost !== undefined) warn(terminal, lost)
  if (config.external.platform?.apiKey !== undefined) return { project, isNew }
  progress.step('Access key')
  const onUnmanaged = (text: string) => say(terminal, `Note: ${text}`)
  const ensured = await ensureTenantKey(host, options, session, registered, { onUnmanaged }).catch(
    async (error: unknown) => {
      if (isNew) await unregisterTenant(session, registered)
      throw error
    },
  )
  if (ensured === undefined) return { project, isNew }
  const { key, isNew: isNewKey } = ensured
  if (record?.key === undefined) return { project, isNew, key }
  if (!isNewKey) return { project, isNew, key: record.key }
  if (record.key.name !== key.name) await revokeRecordedKey(session, record.key, registered)
  return { project, isNew, key }
}

/** An upgrade stays in the project of the virtual cluster, whichever project was used last. */
function projectFor(
  chosen: string,
  { name, project: named }: Pick<CreateCommandOptions, 'name' | 'project'>,
  record: DeployRecord | undefined,
): string {
  const { project = chosen } = record ?? {}
  if (named === undefined || named === project) return project
  throw new Error(`the virtual cluster ${name} is in project ${project} and stays there; leave out --project ${named}`)
}

async function withdraw(
  { platform, options: { name } }: TenantOrder,
  { key, project }: Pick<DeployRecord, 'key' | 'project'>,
  isNewlyRegistered: boolean,
): Promise<void> {
  if (platform === undefined || project === undefined) return
  if (isNewlyRegistered) await unregisterTenant(platform.session, { project, name })
  if (key !== undefined) await revokeKey(platform.session, key)
}

/**
 * A host of `tenant up` runs no workloads: a user who is logged in creates the virtual cluster on the platform instead.
 */
async function requireWorkloads(host: KubeClient, terminal: Terminal): Promise<void> {
  if ((await host.served.findKind('apps/v1', 'StatefulSet')) !== undefined) return
  if ((await localPlatforms(terminal)).length === 0) {
    throw new Error(`${host.origin} serves no StatefulSet of apps/v1; is it a Kubernetes cluster that runs workloads?`)
  }
  throw new Error(
    `${host.origin} runs no workloads, and you are not logged in to the platform of tenant up, which does. Log in first:\n` +
      `  ${await howToLogIn(terminal)}\n` +
      'For another cluster, name it with --kubeconfig or --context.',
  )
}
