import { isRefusal } from '../../../api/error.ts'
import { type KubeObject, objectKeyOf, parseApiVersion } from '../../../api/object.ts'
import type { KubeClient } from '../../../client/contract.ts'
import type { Manifest } from '../manifest.ts'
import { existing, servedTypeOf } from '../objects.ts'
import { instanceLabel, namespaceLabel } from '../owner-labels.ts'

/** `Secret tenant-demo/key`. */
export function shownObject({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`
}

/** In any version: a kind that is served in two versions has each object once. */
export function sameObject(one: KubeObject, other: KubeObject): boolean {
  const groupOf = ({ apiVersion }: KubeObject) => parseApiVersion(apiVersion).group
  return groupOf(one) === groupOf(other) && shownObject(one) === shownObject(other)
}

/** Whether an object on the host was created for the same owner, by its labels. */
export function isMadeFor(found: KubeObject, wanted: Manifest): boolean {
  return [instanceLabel, namespaceLabel].every(
    (label) => found.metadata.labels?.[label] === wanted.metadata.labels?.[label],
  )
}

/** Objects of others that occupy a required name. */
export async function foreignObjects(
  host: KubeClient,
  manifests: readonly Manifest[],
  signal?: AbortSignal,
): Promise<readonly KubeObject[]> {
  const found = await Promise.all(manifests.map((manifest) => existing(host, manifest, signal)))
  return found
    .filter((object, index) => {
      const wanted = manifests[index]
      return object !== undefined && wanted !== undefined && !isMadeFor(object, wanted)
    })
    .flatMap((object) => object ?? [])
}

/**
 * Removes the object if it still belongs to its owner. One that has replaced it stays. If the kind is no longer served,
 * there is none.
 */
export async function removeObject(
  host: KubeClient,
  manifest: Manifest,
  signal?: AbortSignal,
): Promise<'removed' | 'absent' | 'not-ours'> {
  if ((await host.served.findKind(manifest.apiVersion, manifest.kind, signal)) === undefined) return 'absent'
  const found = await existing(host, manifest, signal)
  if (found === undefined) return 'absent'
  if (!isMadeFor(found, manifest)) return 'not-ours'
  const { uid } = found.metadata
  try {
    await host.delete(
      await servedTypeOf(host, manifest, signal),
      objectKeyOf(manifest),
      { propagation: 'Background', ...(uid !== undefined && { uid }) },
      signal,
    )
    return 'removed'
  } catch (error) {
    if (isRefusal(error, 404)) return 'absent'
    throw error
  }
}
