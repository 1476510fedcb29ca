import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { UsageError } from '../../base/usage-error.ts'
import type { KubeClient } from '../../client/contract.ts'
import { mayDo } from '../../sync/run/may-list.ts'
import { commonSecretName } from '../../tenant/replicas/common-secret.ts'
import { sameObject, shownObject } from '../host/apply/objects.ts'
import type { Manifest } from '../host/manifest.ts'
import { existing } from '../host/objects.ts'
import { tenantManifests } from './manifests/all.ts'
import type { TenantDeployment } from './manifests/contract.ts'
import { etcdAccessOf } from './manifests/etcd-store.ts'
import { isForHostAdministrators } from './manifests/host-administrators.ts'
import { isolationManifests } from './manifests/isolation/isolation.ts'
import { recordedConfig } from './recorded-config.ts'

export interface UpgradePlan {
  readonly manifests: readonly Manifest[]
  /** Earlier objects that are neither applied nor removed, and stay in the record. */
  readonly left: readonly Manifest[]
  readonly warnings: readonly string[]
}

/** `asked`: members of `policies.isolation` that tenant.yaml names. */
export async function planUpgrade(
  host: KubeClient,
  deployment: TenantDeployment,
  before: readonly Manifest[],
  asked: readonly string[],
): Promise<UpgradePlan> {
  const isMoved = movesToEtcd(deployment, before)
  await requireCommonFiles(host, deployment, before)
  const surprises = surprisingKinds(deployment, before, asked)
  const manifests = tenantManifests(deployment).filter(({ kind }) => !surprises.includes(kind))
  const left = await outOfReach(host, before, manifests)
  const moving = isMoved ? [movingText] : []
  return { manifests, left, warnings: [...moving, ...surpriseText(surprises), ...left.map(leftText)] }
}

/**
 * Whether the virtual cluster moves its objects from its volume into an etcd when it starts. Other moves are refused:
 * one store does not have the content of another, and the virtual cluster would come back empty.
 */
export function movesToEtcd(deployment: TenantDeployment, before: readonly Manifest[]): boolean {
  const prefixOf = (config: EffectiveConfig) => etcdAccessOf({ ...deployment, config })?.prefix
  const [now, then] = [prefixOf(deployment.config), prefixOf(configOf(deployment, before))]
  if (now === then) return false
  if (then === undefined) return true
  throw new UsageError(
    `${deployment.name} keeps its objects in etcd under ${then}, and an upgrade moves them only from a volume into an etcd: leave controlPlane.storage.etcd of tenant.yaml as it was, or create another virtual cluster`,
  )
}

const movingText =
  'its objects are moved from its volume into the etcd when it starts. Its API is unavailable until then, and there is no way back'

/** If an older version created it, only its own volume has the files that all replicas need. */
async function requireCommonFiles(
  host: KubeClient,
  deployment: TenantDeployment,
  before: readonly Manifest[],
): Promise<void> {
  const { name, namespace, config } = deployment
  const isRaised = config.controlPlane.replicas > 1 && configOf(deployment, before).controlPlane.replicas === 1
  if (!isRaised || config.controlPlane.storage.etcd === undefined) return
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: commonSecretName(name) } }
  if ((await existing(host, secret)) !== undefined) return
  throw new UsageError(
    `${name} has not shared its certificates and keys yet, which its replicas would need: upgrade it once with controlPlane.replicas: 1, and then to ${config.controlPlane.replicas}`,
  )
}

/** Obsolete objects that the caller may not remove. */
async function outOfReach(
  host: KubeClient,
  before: readonly Manifest[],
  after: readonly Manifest[],
): Promise<readonly Manifest[]> {
  const obsolete = before.filter((each) => isForHostAdministrators(each) && !after.some((one) => sameObject(one, each)))
  const answers = await Promise.all(obsolete.map((manifest) => mayRemove(host, manifest)))
  return obsolete.filter((_, index) => answers[index] === false)
}

async function mayRemove(host: KubeClient, { apiVersion, kind, metadata }: Manifest): Promise<boolean> {
  const type = await host.served.findKind(apiVersion, kind)
  if (type === undefined) return true
  const { namespace } = metadata
  const place = { group: type.group, resource: type.resource, ...(namespace !== undefined && { namespace }) }
  const answers = await Promise.all(['get', 'delete'].map((verb) => mayDo(host, { verb, ...place })))
  return answers.every((isAllowed) => isAllowed)
}

/** Kinds that belong together: a quota of requests refuses Pods without requests, unless a LimitRange sets them. */
const isolations = [
  { kinds: ['ResourceQuota', 'LimitRange'], members: ['resourceQuota', 'limitRange'] },
  { kinds: ['NetworkPolicy'], members: ['networkPolicies'] },
] as const

/**
 * Isolation that a virtual cluster runs without, although its previous tenant.yaml did not disable it: it is older, or
 * was created by a user without the rights. Running Pods would suddenly be refused or cut off.
 */
export function surprisingKinds(
  deployment: TenantDeployment,
  before: readonly Manifest[],
  asked: readonly string[],
): readonly string[] {
  const resources = { ...deployment.resources, mayLimit: true }
  const config = configOf(deployment, before)
  const usual = isolationManifests({ ...deployment, resources, config })
  return isolations
    .filter(({ kinds, members }) => {
      const isIn = (list: readonly Manifest[]) => list.some(({ kind }) => kinds.some((each) => each === kind))
      return !isIn(before) && isIn(usual) && !members.some((each) => asked.includes(each))
    })
    .flatMap(({ kinds }) => kinds)
}

/** The previous tenant.yaml; if it cannot be read, the current one. */
function configOf({ name, config: now }: TenantDeployment, before: readonly Manifest[]): EffectiveConfig {
  return recordedConfig(name, before) ?? now
}

function surpriseText(kinds: readonly string[]): readonly string[] {
  if (kinds.length === 0) return []
  return [
    `not made: ${kinds.join(', ')}. The virtual cluster has run without; to have it, name it under policies.isolation in tenant.yaml, as in networkPolicies: {enabled: true} or resourceQuota: {enabled: true}`,
  ]
}

function leftText(manifest: Manifest): string {
  return `left as it is: ${shownObject(manifest)}: you may not change it; an administrator of the host can with tenant create --upgrade`
}
