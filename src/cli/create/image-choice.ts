import { asMembers, asObjects } from '../../base/json/lenient.ts'
import { ownImage } from '../../base/own-image.ts'
import type { Manifest } from '../host/manifest.ts'
import { recordedConfig } from './recorded-config.ts'

/**
 * The image of a virtual cluster that neither an option nor tenant.yaml names. An upgrade keeps the one that an earlier
 * option named, which its nodes can pull. This program's own image is updated to this version.
 */
export function imageByDefault(name: string, before: readonly Manifest[]): string {
  const used = usedImage(name, before)
  const isChosen = used !== undefined && repositoryOf(used) !== repositoryOf(ownImage())
  const isOfConfig = recordedConfig(name, before)?.controlPlane.image !== undefined
  return isChosen && !isOfConfig ? used : ownImage()
}

function usedImage(name: string, manifests: readonly Manifest[]): string | undefined {
  const set = manifests.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === name)
  const pod = asMembers(asMembers(asMembers(set?.spec).template).spec)
  const image = asObjects(pod.containers).find((each) => each.name === 'tenant')?.image
  return typeof image === 'string' ? image : undefined
}

/** Without tag and digest; a colon before a slash belongs to the registry. */
function repositoryOf(image: string): string {
  return image.replace(/@.*$/, '').replace(/:[^/:]*$/, '')
}
