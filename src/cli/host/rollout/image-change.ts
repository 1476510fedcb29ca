import { deepEqual } from '../../../base/equal.ts'
import { asMembers, asObjects } from '../../../base/json/lenient.ts'
import { sameObject } from '../apply/objects.ts'
import type { Manifest } from '../manifest.ts'

/** A StatefulSet with one Pod, in which only images change. */
export interface ImageChange {
  readonly set: Manifest
  /** By the name of the container. */
  readonly images: Readonly<Record<string, string>>
}

/** Undefined if anything else changes, or nothing does. */
export function imageChangeOf(before: readonly Manifest[], after: readonly Manifest[]): ImageChange | undefined {
  const set = after.find(({ kind }) => kind === 'StatefulSet')
  const old = set && before.find((each) => sameObject(each, set))
  if (set === undefined || old === undefined || asMembers(set.spec).replicas !== 1) return undefined
  if (!deepEqual(withoutImages(set), withoutImages(old))) return undefined
  const known = imagesOf(old)
  const changed = Object.entries(imagesOf(set)).filter(([name, image]) => known[name] !== image)
  return changed.length === 0 ? undefined : { set, images: Object.fromEntries(changed) }
}

function imagesOf(set: Manifest): Readonly<Record<string, string>> {
  return Object.fromEntries(containersOf(set).map(({ name, image }) => [String(name), String(image)]))
}

function containersOf({ spec }: Manifest): readonly Readonly<Record<string, unknown>>[] {
  return asObjects(asMembers(asMembers(asMembers(spec).template).spec).containers)
}

function withoutImages(set: Manifest): object {
  const spec = asMembers(set.spec)
  const template = asMembers(spec.template)
  const containers = containersOf(set).map(({ image: _, ...rest }) => rest)
  return { ...set, spec: { ...spec, template: { ...template, spec: { ...asMembers(template.spec), containers } } } }
}
