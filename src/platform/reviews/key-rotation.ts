import { conflict, invalid, notFound } from '../../api/error.ts'
import { forbiddenField, invalidField } from '../../api/field-error.ts'
import type { Kind } from '../../api/kind.ts'
import { placeText, samePlaces } from '../../api/managed-secret.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import type { KubeObject } from '../../api/object.ts'
import { anyObject, integer, list } from '../../api/schema-builder.ts'
import type { ManagedSecret, SecretPlace } from '../../api/types/management.ts'
import { hashKey, mintKey } from '../../auth/keys/values/key-value.ts'
import { KeyedMutex } from '../../base/concurrency/keyed-mutex.ts'
import { asMembers } from '../../base/json/lenient.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { type StoredDocument, sealedBytes } from '../../registry/document.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { storeChanged } from '../../registry/stored-write.ts'
import { ifVisible, visibilityFor } from '../../registry/visibility.ts'
import type { ReviewContext, ReviewResource } from '../../server/reviews/contract.ts'
import { requireChangeRights } from '../access-keys/admission/change-rights.ts'
import { revealing } from '../access-keys/admission/reveal.ts'
import { warnOfRotation } from '../access-keys/admission/warnings.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import { accessKeyOf, ownerOf, specOf } from '../access-keys/record/access-key.ts'
import { sealedOf } from '../access-keys/record/key-record.ts'
import { sealedForm } from '../access-keys/record/sealed-key.ts'
import { warnOfOutdatedSecrets } from '../access-keys/rotation/outdated-secrets.ts'
import { rotatedKey } from '../access-keys/rotation/rotated-key.ts'
import type { ManagedSecrets } from '../managed-secrets/managed-secrets.ts'
import { platformRequest } from '../platform-user.ts'
import { keyQuestion } from './about-key.ts'

const longestOverlapSeconds = 90 * 24 * 3600

/** `POST …/ownedaccesskeys/NAME/rotate`: a new value at once; the previous value stays valid for the overlap. */
export function rotation(
  parts: KeyParts,
  keys: () => ResourceContext,
  managedSecrets: Pick<ManagedSecrets, 'look' | 'rewrite'>,
): ReviewResource {
  const mutex = new KeyedMutex()
  const question = keyQuestion('rotate', 'AccessKeyRotation', parts)
  return {
    ...question,
    schema: kindSchema(question, 'A change of the value of an access key. It is answered with the key.', {
      overlapSeconds: integer('How long the previous value stays valid. 0 or absent: not at all.'),
      managedSecrets: list(
        'The Secrets that the new value is to be written into, as a dry run told them. If the key has others by now, nothing is done. Absent: those that it has.',
        anyObject('A Secret, as in the status of the key.'),
      ),
    }),
    // Includes writing the Secrets: the next rotation must find there what this one wrote.
    review: (input, context) =>
      mutex.run(context.name, async () => {
        const overlapSeconds = overlapOf(parts.kind, input, context.name)
        const rotated = await rotate(parts, keys(), overlapSeconds, seenIn(input), context)
        const { object, secrets, holds } = rotated
        const { key } = specOf(object)
        // The value is shown once: whatever fails from here on, the answer contains it.
        if (key !== undefined)
          warnOfOutdatedSecrets(context, 'not rewritten', await managedSecrets.rewrite(secrets, holds, key))
        else warnOfOutdatedSecrets(context, 'would not be rewritten', await managedSecrets.look(secrets, holds))
        return object
      }),
  }
}

interface Rotated {
  readonly object: KubeObject
  readonly secrets: readonly ManagedSecret[]
  /** Whether a value is one of the previous values. */
  readonly holds: (value: string) => boolean
}

/** Undefined: the caller did not name the Secrets they expect. */
function seenIn({ managedSecrets }: KubeObject): readonly SecretPlace[] | undefined {
  if (!Array.isArray(managedSecrets)) return undefined
  const seen: readonly unknown[] = managedSecrets
  return seen.map(asMembers)
}

/** The caller names every Secret they have seen, so that one added meanwhile is noticed. */
function requireSeen(kind: Kind, name: string, secrets: readonly ManagedSecret[], seen?: readonly SecretPlace[]): void {
  if (seen === undefined || samePlaces(seen, secrets)) return
  const now = secrets.length === 0 ? 'none' : secrets.map(placeText).join(', ')
  throw conflict(kind, name, `the Secrets that it is written into have changed, and are now: ${now}`)
}

function overlapOf(kind: Kind, { overlapSeconds = 0 }: KubeObject, name: string): number {
  if (typeof overlapSeconds === 'number' && overlapSeconds >= 0 && overlapSeconds <= longestOverlapSeconds) {
    return overlapSeconds
  }
  const problem = `must be between 0 and ${longestOverlapSeconds}`
  throw invalid(kind, name, [invalidField('overlapSeconds', overlapSeconds, problem)])
}

/** A session has no value that could be replaced, and the key of a login keeps the value it was started with. */
function requireValue(kind: Kind, document: StoredDocument): void {
  const isSession = sealedOf(document)?.session !== undefined
  if (!isSession && specOf(document.object).type !== 'Login') return
  const problem = isSession
    ? 'a session has no value: end it, and sign in again'
    : 'the key of a login keeps its value: end it, and log in again'
  throw invalid(kind, document.name, [forbiddenField('spec.type', problem)])
}

async function rotate(
  parts: KeyParts,
  keys: ResourceContext,
  overlapSeconds: number,
  seen: readonly SecretPlace[] | undefined,
  { user, name, dryRun, warn }: ReviewContext,
): Promise<Rotated> {
  await caughtUp(keys.engine)
  const visibility = await visibilityFor(keys, user)
  const value = mintKey(parts.random)
  const authorize = parts.authorizer.authorize.bind(parts.authorizer)
  const request = { ...platformRequest('access-keys', new AbortController().signal), user, authorize }
  let current = ifVisible(keys.cache.get({ namespace: '', name }), visibility)
  for (;;) {
    if (current === undefined) throw notFound(parts.kind, name)
    const spec = specOf(current.object)
    const owner = ownerOf(spec)
    requireValue(parts.kind, current)
    const change = { name, old: spec, spec, owner, oldOwner: owner, value, addedSecrets: [] }
    await requireChangeRights(change, request, parts)
    const { managedSecrets: secrets = [] } = accessKeyOf(current.object).status ?? {}
    requireSeen(parts.kind, name, secrets, seen)
    const holds = holderOf(current)
    const rotated = rotatedKey(parts, current, value, overlapSeconds)
    if (dryRun) return { object: current.object, secrets, holds }
    const stored = await storeChanged(keys, current, rotated.object, sealedBytes(sealedForm(rotated.sealed)))
    if (stored.outcome === 'written') {
      warnOfRotation({ warn }, rotated)
      return { object: revealing(value.value)(stored.document.object), secrets, holds }
    }
    current = ifVisible(stored.current, visibility)
  }
}

/** Includes the value before the last rotation, which Secrets may still contain that the rotation did not reach. */
function holderOf(document: StoredDocument): Rotated['holds'] {
  const { hash, previous } = sealedOf(document) ?? { hash: '' }
  return (value) => value !== '' && [hash, previous?.hash].includes(hashKey(value))
}
