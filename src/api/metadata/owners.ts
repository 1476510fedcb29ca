import { type FieldError, invalidField, invalidFieldAs, maxFieldErrors } from '../field-error.ts'
import { quoted } from '../human/go-syntax.ts'
import type { ObjectMeta, OwnerReference } from '../object.ts'

const field = 'metadata.ownerReferences'

export function validateOwners(owners: readonly OwnerReference[] | undefined, errors: FieldError[]): void {
  if (owners === undefined || owners.length === 0) return
  for (const owner of owners) {
    if (errors.length >= maxFieldErrors) return
    validateOwner(owner, errors)
  }
  const [first, second] = owners.filter((each) => each.controller === true)
  if (first === undefined || second === undefined) return
  errors.push(invalidFieldAs(field, printedOwners(owners), secondController(first, second)))
}

/**
 * Drops identical owner references. Returns the same metadata if there are none. The warning is for the client that
 * sent them.
 */
export function distinctOwners(metadata: ObjectMeta): {
  readonly metadata: ObjectMeta
  readonly warnings: readonly string[]
} {
  const owners = metadata.ownerReferences
  if (owners === undefined || owners.length < 2) return { metadata, warnings: [] }
  const distinct = new Map(owners.map((owner) => [identity(owner), owner]))
  if (distinct.size === owners.length) return { metadata, warnings: [] }
  return {
    metadata: { ...metadata, ownerReferences: [...distinct.values()] },
    warnings: [duplicateWarning(repeatedUids(owners))],
  }
}

function validateOwner(owner: OwnerReference, errors: FieldError[]): void {
  const { apiVersion = '', kind = '', name = '', uid = '' } = owner
  const { group, version } = groupVersionOf(apiVersion)
  if (version === '') errors.push(invalidField(`${field}.apiVersion`, apiVersion, 'version must not be empty'))
  if (kind === '') errors.push(invalidField(`${field}.kind`, kind, 'kind must not be empty'))
  if (name === '') errors.push(invalidField(`${field}.name`, name, 'name must not be empty'))
  if (uid === '') errors.push(invalidField(`${field}.uid`, uid, 'uid must not be empty'))
  if (group === '' && version === 'v1' && kind === 'Event') {
    errors.push(invalidFieldAs(field, printedOwner(owner), '/v1, Kind=Event is disallowed from being an owner'))
  }
}

function groupVersionOf(apiVersion: string): { readonly group: string; readonly version: string } {
  const parts = apiVersion.split('/')
  if (parts.length > 2) return { group: '', version: '' }
  const [version = '', group = ''] = parts.reverse()
  return { group, version }
}

function secondController(first: OwnerReference, second: OwnerReference): string {
  const both = `${first.kind}/${first.name} and ${second.kind}/${second.name}`
  return `Only one reference can have Controller set to true. Found "true" in references for ${both}`
}

function repeatedUids(owners: readonly OwnerReference[]): readonly string[] {
  const seen = new Set<string>()
  return owners.filter((owner) => seen.size === seen.add(identity(owner)).size).map((each) => each.uid)
}

function identity({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  return JSON.stringify([uid, apiVersion, kind, name, controller, blockOwnerDeletion])
}

function duplicateWarning(uids: readonly string[]): string {
  return `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`
}

function printedOwners(owners: readonly OwnerReference[]): string {
  return `[]v1.OwnerReference{${owners.map(printedOwner).join(', ')}}`
}

/** Where Go would print the address of a boolean, we print its value. */
function printedOwner({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string {
  const texts = `APIVersion:${quoted(apiVersion)}, Kind:${quoted(kind)}, Name:${quoted(name)}, UID:${quoted(uid)}`
  const flags = `Controller:(*bool)(${controller ?? 'nil'}), BlockOwnerDeletion:(*bool)(${blockOwnerDeletion ?? 'nil'})`
  return `v1.OwnerReference{${texts}, ${flags}}`
}
