import { errorText } from '../../base/error-text.ts'
import type { KubeClient } from '../../client/contract.ts'
import { applyAll, refuseForeignObjects, removeObsolete, rollBack } from '../host/apply/apply-all.ts'
import { applyUpgrade } from '../host/apply/apply-upgrade.ts'
import { ensureNamespace } from '../host/apply/ensure-namespace.ts'
import { removeObject } from '../host/apply/objects.ts'
import type { ApplyConflict } from '../host/apply/three-way.ts'
import type { Manifest } from '../host/manifest.ts'
import { existing } from '../host/objects.ts'
import { removeStuckPods } from '../host/rollout/stuck-pods.ts'
import type { Progress } from '../output/progress.ts'
import { platformSecrets } from '../platform/install/names.ts'
import { refuseCollidingNames } from './colliding-names.ts'
import { removeCopies } from './copies.ts'
import { namespaceManifest, tenantManifests } from './manifests/all.ts'
import type { TenantDeployment } from './manifests/contract.ts'
import { keySecret } from './tenant-key.ts'
import { type DeployRecord, readApplyRecord, recordSecret, writeRecord } from './tenant-record.ts'
import { planUpgrade } from './upgrade-plan.ts'

export interface DeployOptions {
  readonly upgrade: boolean
  /** How long to wait for a new image to be ready, or for a namespace under deletion to be gone; 0: no waiting. */
  readonly patienceMs: number
  readonly progress: Progress
  readonly signal?: AbortSignal | undefined
  /** Called when the namespace exists, before anything else is created. */
  readonly prepare?: (record: DeployRecord | undefined) => Promise<Pick<DeployRecord, 'key' | 'project'>>
  /** Called before an upgrade changes anything. */
  readonly onChanges?: (before: readonly Manifest[], after: readonly Manifest[]) => void
  /** Reverts `prepare` if a new tenant could not be applied. */
  readonly withdraw?: (prepared: Pick<DeployRecord, 'key' | 'project'>) => Promise<void>
  /** Members of `policies.isolation` that tenant.yaml names. */
  readonly askedIsolation?: readonly string[]
  /** Called when everything is applied. If it throws, an upgrade is rolled back. */
  readonly whenApplied?: () => Promise<void>
}

export interface Deployed {
  readonly isNew: boolean
  readonly kept: readonly ApplyConflict[]
  /** Earlier objects that were left unchanged, since the caller may not change them. */
  readonly left: readonly Manifest[]
  readonly warnings: readonly string[]
}

/** Deploys a tenant on its host, or upgrades an existing one. */
export async function deploy(
  host: KubeClient,
  deployment: TenantDeployment,
  options: DeployOptions,
): Promise<Deployed> {
  const { signal, progress } = options
  const last = await readApplyRecord(host, deployment, signal)
  if (last !== undefined && !options.upgrade) throw existsAlready(deployment)
  if (last === undefined && options.upgrade) throw nothingThere(deployment)
  const plan = last && (await planUpgrade(host, deployment, last.manifests, options.askedIsolation ?? []))
  const { manifests, left, warnings } = plan ?? { manifests: tenantManifests(deployment), left: [], warnings: [] }
  await refusePlatformNamespace(host, deployment, signal)
  if (last === undefined) await refuseCollidingNames(host, deployment, signal)
  await requireNamespaces(host, deployment, manifests, signal)
  await refuseForeignObjects(host, manifests, 'the tenant', signal)
  const before = last && { ...last, manifests: last.manifests.filter((each) => !left.includes(each)) }
  if (before !== undefined) options.onChanges?.(before.manifests, manifests)
  progress.step(`Namespace ${deployment.namespace}`)
  // A namespace under deletion takes along what an upgrade needs: its record, its key and its volumes.
  const patienceMs = last === undefined ? options.patienceMs : 0
  const hasNewNamespace = await ensureNamespace(host, namespaceManifest(deployment), { ...options, patienceMs })
  const madeNamespace = hasNewNamespace || last?.madeNamespace === true
  const kept = await (before === undefined
    ? install(host, deployment, { manifests, madeNamespace }, options)
    : upgrade(host, deployment, { manifests, madeNamespace, left, last: before }, options))
  return { isNew: last === undefined, kept, left, warnings }
}

interface Planned {
  readonly manifests: readonly Manifest[]
  readonly madeNamespace: boolean
}

/** A failed installation leaves nothing behind. One that is applied but does not become ready stays for inspection. */
async function install(
  host: KubeClient,
  deployment: TenantDeployment,
  { manifests, madeNamespace }: Planned,
  options: DeployOptions,
): Promise<readonly ApplyConflict[]> {
  let prepared: Pick<DeployRecord, 'key' | 'project'> = {}
  let kept: readonly ApplyConflict[]
  try {
    prepared = (await options.prepare?.(undefined)) ?? {}
    await writeRecord(host, deployment, { manifests, madeNamespace, ...prepared }, options.signal)
    kept = await applyAll(host, manifests, [], options)
  } catch (error) {
    throw await withdrawn(host, deployment, { manifests, madeNamespace, ...prepared }, options, error)
  }
  try {
    await options.whenApplied?.()
  } catch (error) {
    throw unfinished(deployment, error)
  }
  return kept
}

interface PlannedUpgrade extends Planned {
  readonly left: readonly Manifest[]
  /** Without the objects that are left unchanged. */
  readonly last: DeployRecord
}

async function upgrade(
  host: KubeClient,
  deployment: TenantDeployment,
  { manifests, madeNamespace, left, last }: PlannedUpgrade,
  options: DeployOptions,
): Promise<readonly ApplyConflict[]> {
  const { signal, progress } = options
  const prepared = (await options.prepare?.(last)) ?? {}
  try {
    const kept = await applyUpgrade(host, manifests, last.manifests, options)
    await removeStuckPods(host, manifests)
    await options.whenApplied?.()
    await removeCopies(host, deployment, last.manifests, manifests)
    await removeObsolete(host, last.manifests, manifests, signal)
    await writeRecord(host, deployment, { manifests: [...left, ...manifests], madeNamespace, ...prepared }, signal)
    return kept
  } catch (error) {
    throw await rollBack(host, { failed: manifests, last: last.manifests }, error, progress)
  }
}

/** Removes what a failed installation has created. Ignores cancellation, as a rollback does. */
async function withdrawn(
  host: KubeClient,
  deployment: TenantDeployment,
  { manifests, madeNamespace, ...prepared }: DeployRecord,
  { progress, withdraw }: DeployOptions,
  error: unknown,
): Promise<Error> {
  const reason = errorText(error)
  try {
    progress.step('Removing the objects created so far')
    for (const manifest of [...manifests].reverse()) await removeObject(host, manifest)
    if (prepared.key !== undefined) await removeObject(host, keySecret(deployment, {}))
    await removeObject(host, recordSecret(deployment))
    await withdraw?.(prepared)
    if (madeNamespace) await removeObject(host, namespaceManifest(deployment))
  } catch (second) {
    return unfinished(deployment, new Error(`${reason}; ${errorText(second)}`))
  }
  return new Error(`${reason}\nNothing of it is left.`, { cause: error })
}

/**
 * A tenant may read and write Secrets of its namespace: in the platform's namespace, these include administrator
 * credentials.
 */
async function refusePlatformNamespace(
  host: KubeClient,
  { namespace }: TenantDeployment,
  signal?: AbortSignal,
): Promise<void> {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: platformSecrets.admin, namespace } }
  if ((await existing(host, secret, signal)) === undefined) return
  throw new Error(`namespace ${namespace} belongs to a platform; choose another with -n. Nothing was changed`)
}

/** Other namespaces are never created implicitly. */
async function requireNamespaces(
  host: KubeClient,
  { namespace: own }: TenantDeployment,
  manifests: readonly Manifest[],
  signal?: AbortSignal,
): Promise<void> {
  const places = new Set(manifests.flatMap(({ metadata }) => metadata.namespace ?? []))
  for (const name of places) {
    const wanted = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
    if (name === own || (await existing(host, wanted, signal)) !== undefined) continue
    throw new Error(
      `the configuration refers to namespace ${name}, which the host does not have: create it first. Nothing was changed`,
    )
  }
}

function unfinished({ name, namespace }: TenantDeployment, error: unknown): Error {
  const reason = errorText(error)
  const ways = `tenant create ${name} -n ${namespace} --upgrade, or tenant delete ${name} -n ${namespace}`
  return new Error(`${reason}\nThe objects created so far remain. Continue with: ${ways}`, { cause: error })
}

function existsAlready({ name, namespace }: TenantDeployment): Error {
  return new Error(`the tenant ${name} already exists in namespace ${namespace}; change it with --upgrade`)
}

function nothingThere({ name, namespace }: TenantDeployment): Error {
  return new Error(
    `there is no tenant ${name} in namespace ${namespace} of the host to upgrade; create it without --upgrade, or name its namespace with -n`,
  )
}
