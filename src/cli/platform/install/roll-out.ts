import { systemClock, timestamp } from '../../../base/clock.ts'
import { errorText } from '../../../base/error-text.ts'
import { UsageError } from '../../../base/usage-error.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { refuseForeignObjects, removeObsolete, rollBack } from '../../host/apply/apply-all.ts'
import { applyUpgrade } from '../../host/apply/apply-upgrade.ts'
import { ensureNamespace } from '../../host/apply/ensure-namespace.ts'
import { showChanges } from '../../host/apply/show-changes.ts'
import type { ApplyConflict } from '../../host/apply/three-way.ts'
import { removeStuckPods } from '../../host/rollout/stuck-pods.ts'
import { waitUntilReady } from '../../host/rollout/wait-ready.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { balancerAddress } from './balancer-address.ts'
import { checkServeOptions } from './check-serve-options.ts'
import { checkSettings } from './check-settings.ts'
import { clusterFacts } from './cluster-facts.ts'
import { platformManifests, platformNamespace } from './manifests/all.ts'
import { platformPodLabels } from './manifests/labels.ts'
import { platformName } from './names.ts'
import type { InstallOptions } from './options.ts'
import { type PlatformRecord, readPlatformRecord, writePlatformRecord } from './platform-record.ts'
import { refuseTenantNamespace } from './refuse-tenant-namespace.ts'
import { ensureSecrets, type KeptStore, replaceAdminKey, type SecretTools } from './secrets.ts'
import { type InstallChoices, isEmbedded, type PlatformSettings, rememberedChoices, settingsOf } from './settings.ts'

export interface RollOutTools extends SecretTools {
  readonly terminal: Terminal
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal
}

export interface RolledOut {
  readonly settings: PlatformSettings
  /** Fields that others have changed and keep. */
  readonly kept: readonly ApplyConflict[]
}

/** Installs the platform in a cluster, or upgrades an existing one. */
export async function rollOut(host: KubeClient, options: InstallOptions, tools: RollOutTools): Promise<RolledOut> {
  const { namespace } = options
  const { progress, signal } = tools
  const last = await readPlatformRecord(host, namespace)
  if (options.mode === 'upgrade' && !isInstalled(last)) throw nothingThere(namespace)
  const before: InstallChoices = last === undefined ? { encryption: true } : lastChoices(last)
  const choices = rememberedChoices({ ...before, ...options.choices, ...adminKeyChoice(options) })
  const facts = await clusterFacts(host)
  const settings = settingsOf(namespace, choices, facts)
  checkSettings(settings)
  checkServeOptions(settings, tools.terminal)
  if (isInstalled(last)) refuseOtherStore(settingsOf(namespace, lastChoices(last), facts), settings)
  await refuseTenantNamespace(host, namespace)
  await refuseForeignObjects(host, platformManifests(settings), 'the platform')
  progress.step(`Namespace ${namespace}`)
  // A namespace under deletion takes along the record of the platform, its keys and its volumes.
  const patience = { progress, signal, patienceMs: last === undefined ? patienceOf(options) : 0 }
  const madeNamespace =
    (await ensureNamespace(host, platformNamespace(namespace), patience)) || last?.madeNamespace === true
  await bringKeys(host, options, settings, { ...tools, keptStore: last && keptStoreOf(last) })
  const record = { manifests: last?.manifests ?? [], madeNamespace, choices }
  const { next, kept } = await apply(host, options, { record, settings, isNew: !isInstalled(last) }, tools)
  const foundAddress = await balancerAddress(host, options, settings, { progress, signal })
  return foundAddress === undefined ? { settings, kept } : withAddress(host, options, next, foundAddress, tools)
}

function patienceOf({ wait, timeoutSeconds }: InstallOptions): number {
  return wait ? timeoutSeconds * 1000 : 0
}

interface PlannedRollOut {
  /** The previous record: what was applied last. */
  readonly record: PlatformRecord
  readonly settings: PlatformSettings
  readonly isNew: boolean
}

async function apply(
  host: KubeClient,
  options: InstallOptions,
  { record, settings, isNew }: PlannedRollOut,
  { progress, terminal, signal }: RollOutTools,
): Promise<{ readonly next: PlatformRecord; readonly kept: readonly ApplyConflict[] }> {
  const { namespace } = options
  const manifests = platformManifests(settings)
  if (!isNew) showChanges(record.manifests, manifests, terminal)
  const next = { ...record, manifests }
  try {
    if (isNew) await writePlatformRecord(host, namespace, next)
    const patienceMs = patienceOf(options)
    const kept = await applyUpgrade(host, manifests, record.manifests, { progress, patienceMs, signal })
    if (!isNew) await removeStuckPods(host, manifests)
    if (options.wait) await wait(host, options, settings, { progress, signal })
    await removeObsolete(host, record.manifests, manifests, signal)
    await writePlatformRecord(host, namespace, next)
    return { next, kept }
  } catch (error) {
    throw isNew
      ? unfinished(namespace, error)
      : await rollBack(host, { failed: manifests, last: record.manifests }, error, progress)
  }
}

/** Only now is the address known that the certificate must name. */
async function withAddress(
  host: KubeClient,
  options: InstallOptions,
  record: PlatformRecord,
  foundAddress: string,
  tools: RollOutTools,
): Promise<RolledOut> {
  const choices = { ...record.choices, foundAddress }
  const settings = settingsOf(options.namespace, choices, await clusterFacts(host))
  const { kept } = await apply(host, options, { record: { ...record, choices }, settings, isNew: false }, tools)
  return { settings, kept }
}

/** A platform that was installed before encryption existed continues without it until it is requested. */
function lastChoices({ choices }: PlatformRecord): InstallChoices {
  return { ...choices, encryption: choices.encryption ?? false }
}

/** Also after an uninstallation that kept data. */
function keptStoreOf(record: PlatformRecord): KeptStore {
  return lastChoices(record).encryption === true ? 'encrypted' : 'plain'
}

function isInstalled(record: PlatformRecord | undefined): record is PlatformRecord {
  return record !== undefined && record.manifests.length > 0
}

function adminKeyChoice({ newAdminKey }: InstallOptions): Pick<InstallChoices, 'adminKeyMark'> {
  return newAdminKey ? { adminKeyMark: timestamp(systemClock.now()) } : {}
}

async function bringKeys(
  host: KubeClient,
  { namespace, newAdminKey }: InstallOptions,
  settings: PlatformSettings,
  tools: RollOutTools,
): Promise<void> {
  const hasNewKey = await ensureSecrets(host, settings, tools)
  if (newAdminKey && !hasNewKey) tools.onAdminKey(await replaceAdminKey(host, namespace))
}

async function wait(
  host: KubeClient,
  { namespace, timeoutSeconds }: InstallOptions,
  settings: PlatformSettings,
  { progress, signal }: Pick<RollOutTools, 'progress' | 'signal'>,
): Promise<void> {
  progress.step('Waiting until the platform is ready')
  const kind = isEmbedded(settings) ? 'StatefulSet' : 'Deployment'
  const awaited = {
    kind,
    name: platformName,
    namespace,
    podLabels: platformPodLabels,
    shownAs: 'the platform',
  } as const
  await waitUntilReady(host, awaited, { timeoutMs: timeoutSeconds * 1000, progress, signal })
}

/**
 * One store does not have the content of another, a volume cannot be converted, and encrypted content cannot be read
 * without keys.
 */
function refuseOtherStore(before: PlatformSettings, after: PlatformSettings): void {
  if (before.encryption && !after.encryption) throw new UsageError(staysEncrypted)
  if (isEmbedded(before) !== isEmbedded(after)) {
    throw new UsageError(
      'the platform keeps its objects in another store, and an upgrade does not move them: leave --store and --etcd-secret as they were',
    )
  }
  if (before.domain !== after.domain) {
    throw new UsageError(
      `the platform keeps its objects under the domain ${before.domain}, and an upgrade does not move them: leave --domain as it was`,
    )
  }
  const isSame = before.storageSize === after.storageSize && before.storageClass === after.storageClass
  if (!isEmbedded(after) || isSame) return
  throw new UsageError(
    `the volume of the platform already exists: to enlarge it, edit the claim data-${platformName}-0, and leave --storage-size and --storage-class as they were`,
  )
}

const staysEncrypted =
  'the store is encrypted: first put the word identity on a line of its own before the keys in the Secret tenant-platform-encryption, and wait until tenant_encryption_stale_values is 0; then remove the Secret and install anew'

function nothingThere(namespace: string): Error {
  return new Error(
    `there is no platform in namespace ${namespace} to upgrade; install it with tenant platform install, or name its namespace with -n`,
  )
}

function unfinished(namespace: string, error: unknown): Error {
  const reason = errorText(error)
  const ways = `tenant platform install -n ${namespace}, or tenant platform uninstall -n ${namespace}`
  return new Error(`${reason}\nThe objects created so far remain. Continue with: ${ways}`, { cause: error })
}
