import { forbidden, invalid, refusedBy } from '../../../api/error.ts'
import { notFoundField } from '../../../api/field-error.ts'
import { placeId, placeText } from '../../../api/managed-secret.ts'
import type { AccessKeySpec, AccessKeyStatus, ManagedSecret, SecretPlace } from '../../../api/types/management.ts'
import { timestamp } from '../../../base/clock.ts'
import type { WriteRequest } from '../../../registry/contract.ts'
import { isPlatform } from '../../platform-user.ts'
import type { KeyParts } from '../parts.ts'

/** Secrets that a change adds. A caller who takes over a key vouches for all of its Secrets. */
export function addedSecrets(
  { managedSecrets = [] }: AccessKeySpec,
  { managedSecrets: recorded = [] }: AccessKeyStatus,
  isTakenOver: boolean,
): readonly SecretPlace[] {
  const known = new Set(isTakenOver ? [] : recorded.map(placeId))
  return managedSecrets.filter((place) => !known.has(placeId(place)))
}

/** With a stolen key that has a scope, a thief must not be able to add a Secret that receives the next value too. */
export function requireNoneByScope(
  name: string,
  added: number,
  { user }: WriteRequest,
  { kind }: Pick<KeyParts, 'kind'>,
): void {
  if (added === 0 || user.credential?.scope === undefined) return
  throw refusedBy(
    'scope',
    forbidden(kind, name, 'an access key with a scope cannot add Secrets that a key is written into'),
  )
}

export interface RequestedSecrets {
  /** The name of the key. */
  readonly name: string
  readonly spec: AccessKeySpec
  readonly status: AccessKeyStatus
  readonly added: readonly SecretPlace[]
}

/** Secrets to record for a key from now on. Throws unless the caller may update the new ones. */
export async function admittedSecrets(
  { name, spec: { managedSecrets = [] }, status: { managedSecrets: recorded = [] }, added }: RequestedSecrets,
  request: WriteRequest,
  parts: KeyParts,
): Promise<readonly ManagedSecret[]> {
  const isNew = new Set(isPlatform(request.user) ? [] : added.map(placeId))
  const known = new Map(recorded.map((secret) => [placeId(secret), secret]))
  const admitted: ManagedSecret[] = []
  for (const [index, place] of managedSecrets.entries()) {
    const id = placeId(place)
    const before = isNew.has(id) ? undefined : known.get(id)
    if (before !== undefined) admitted.push(before)
    else if (isNew.has(id)) admitted.push(await admittedSecret({ name, place, index }, request, parts))
  }
  return admitted
}

async function admittedSecret(
  { name, place, index }: { readonly name: string; readonly place: SecretPlace; readonly index: number },
  request: WriteRequest,
  { kind, clock, secrets }: KeyParts,
): Promise<ManagedSecret> {
  await secrets.requireUpdate(place, request)
  const uid = (await secrets.find(place))?.metadata.uid
  if (uid === undefined) {
    throw invalid(kind, name, [notFoundField(`spec.managedSecrets[${index}]`, placeText(place))])
  }
  return { ...place, uid, addedBy: request.user.name, addedAt: timestamp(clock.now()) }
}

export function withSecrets(status: AccessKeyStatus, secrets: readonly ManagedSecret[]): AccessKeyStatus {
  const { managedSecrets: _, ...others } = status
  return secrets.length === 0 ? others : { ...others, managedSecrets: secrets }
}
