import { setTimeout as pause } from 'node:timers/promises'
import { type KubeObject, objectKeyOf } from '../../api/object.ts'
import type { KubeClient } from '../../client/contract.ts'
import type { TenantDeployment } from '../create/manifests/contract.ts'
import type { Manifest } from '../host/manifest.ts'
import { existing, servedTypeOf } from '../host/objects.ts'
import { instanceLabel, selectorOfLabels } from '../host/owner-labels.ts'
import { removeEndedPods } from '../host/rollout/ended-pods.ts'
import type { Progress } from '../output/progress.ts'

type Named = Pick<TenantDeployment, 'name' | 'namespace'>

const pollMs = 250
const patienceMs = 60_000

/** A tenant or the platform: the namespace of its Pods and volumes, and the labels by which they are found. */
export interface PodOwner {
  readonly namespace: string
  readonly podLabels: Readonly<Record<string, string>>
}

/** A running process would recreate what is removed. */
export async function untilPodsAreGone(
  host: KubeClient,
  { namespace, podLabels }: PodOwner,
  progress: Progress,
): Promise<void> {
  const type = await servedTypeOf(host, { apiVersion: 'v1', kind: 'Pod' })
  const labelSelector = selectorOfLabels(podLabels)
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    const { items } = await host.list(type, { namespace, labelSelector })
    if (items.length === 0) return
    await removeEndedPods(host, type, items)
    progress.detail(`waiting for ${items.map(({ metadata }) => metadata.name).join(', ')} to end`)
    await pause(pollMs)
  }
}

/** The volumes, which a StatefulSet leaves behind. */
export async function volumeClaimsOf(
  host: KubeClient,
  { namespace, podLabels }: PodOwner,
): Promise<readonly KubeObject[]> {
  const type = await host.served.find('', 'persistentvolumeclaims')
  if (type === undefined) return []
  return (await host.list(type, { namespace, labelSelector: selectorOfLabels(podLabels) })).items
}

export async function removeClaims(host: KubeClient, owner: PodOwner): Promise<void> {
  const type = await host.served.find('', 'persistentvolumeclaims')
  if (type === undefined) return
  for (const item of await volumeClaimsOf(host, owner)) await host.delete(type, objectKeyOf(item))
}

/** Secrets that the tenant's process maintains: those that its Role lets it write by name. */
export async function removeOwnSecrets(
  host: KubeClient,
  { name, namespace }: Named,
  manifests: readonly Manifest[],
): Promise<void> {
  const type = await servedTypeOf(host, { apiVersion: 'v1', kind: 'Secret' })
  const own = await ownSecrets(host, { name, namespace }, manifests)
  for (const secret of own) await host.delete(type, objectKeyOf(secret))
}

export async function ownSecrets(
  host: KubeClient,
  { name, namespace }: Named,
  manifests: readonly Manifest[],
): Promise<readonly KubeObject[]> {
  const found = await Promise.all(
    keptSecrets(manifests, namespace).map((secret) =>
      existing(host, { apiVersion: 'v1', kind: 'Secret', metadata: { name: secret, namespace } }),
    ),
  )
  return found.flatMap((secret) => (secret?.metadata.labels?.[instanceLabel] === name ? [secret] : []))
}

function keptSecrets(manifests: readonly Manifest[], namespace: string): readonly string[] {
  return manifests.flatMap(({ kind, metadata, rules }) =>
    kind === 'Role' && metadata.namespace === namespace && Array.isArray(rules)
      ? rules.flatMap((rule) => (rule.verbs?.includes('patch') ? (rule.resourceNames ?? []) : []))
      : [],
  )
}
