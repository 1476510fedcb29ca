import { invalid, notFound } from '../../../api/error.ts'
import { forbiddenField, invalidField } from '../../../api/field-error.ts'
import type { Kind } from '../../../api/kind.ts'
import { kindSchema } from '../../../api/metadata/kind-schema.ts'
import type { KubeObject } from '../../../api/object.ts'
import { integer } from '../../../api/schema-builder.ts'
import { mintKey } from '../../../auth/keys/key-value.ts'
import type { ResourceContext } from '../../../registry/context.ts'
import { type StoredDocument, sealedBytes } from '../../../registry/document.ts'
import { caughtUp } from '../../../registry/freshness.ts'
import { storeChanged } from '../../../registry/stored-write.ts'
import { ifVisible, visibilityFor } from '../../../registry/visibility.ts'
import type { ReviewContext, ReviewResource } from '../../../server/reviews/contract.ts'
import type { ManagedSecrets, Rewrite } from '../../managed-secrets/managed-secrets.ts'
import { platformRequest } from '../../platform-user.ts'
import { requireChangeRights } from '../admission/change-rights.ts'
import { revealing } from '../admission/reveal.ts'
import { warnOfRotation } from '../admission/warnings.ts'
import type { KeyParts } from '../parts.ts'
import { ownerOf, specOf } from '../record/access-key.ts'
import { sealedOf } from '../record/key-record.ts'
import { sealedForm } from '../record/sealed-key.ts'
import { keyQuestion } from './key-question.ts'
import { rotatedKey } from './rotated-key.ts'
import { warnOfStaleSecrets } from './stale-secrets.ts'

const longestOverlapSeconds = 90 * 24 * 3600

/** `POST …/ownedaccesskeys/NAME/rotate`: a new value at once; the one before stays valid for the overlap. */
export function rotation(
  parts: KeyParts,
  keys: () => ResourceContext,
  managedSecrets: Pick<ManagedSecrets, 'find'>,
): ReviewResource {
  const question = keyQuestion('rotate', 'AccessKeyRotation', parts)
  return {
    ...question,
    schema: kindSchema(question, 'A change of the value of an access key. It is answered with the key.', {
      overlapSeconds: integer('How long the value before stays valid. 0 or absent: not at all.'),
    }),
    review: async (input, context) => {
      const overlapSeconds = overlapOf(parts.kind, input, context.name)
      const rewrite = await secretsWith(parts, keys(), managedSecrets, context)
      const rotated = await rotate(parts, keys(), overlapSeconds, context)
      const { key } = specOf(rotated)
      // The value is shown once: whatever goes wrong from here on, the answer has it.
      if (key !== undefined) await warnOfStaleSecrets(context, await rewrite(key), parts.authorizer)
      return rotated
    },
  }
}

/** Secrets that are to follow the key. Found before anybody knows whether the caller may rotate it, and not told. */
async function secretsWith(
  { index, clock }: KeyParts,
  keys: ResourceContext,
  managedSecrets: Pick<ManagedSecrets, 'find'>,
  { name, dryRun }: ReviewContext,
): Promise<Rewrite> {
  const uid = keys.cache.get({ namespace: '', name })?.object.metadata.uid
  if (dryRun || uid === undefined) return async () => []
  return managedSecrets.find(name, (value) => {
    const check = index.check(value, clock.now())
    return check.state !== 'unknown' && check.key.uid === uid
  })
}

function overlapOf(kind: Kind, { overlapSeconds = 0 }: KubeObject, name: string): number {
  if (typeof overlapSeconds === 'number' && overlapSeconds >= 0 && overlapSeconds <= longestOverlapSeconds) {
    return overlapSeconds
  }
  const problem = `must be between 0 and ${longestOverlapSeconds}`
  throw invalid(kind, name, [invalidField('overlapSeconds', overlapSeconds, problem)])
}

/** Nobody holds a value of a session that could be replaced. */
function requireValue(kind: Kind, document: StoredDocument): void {
  if (sealedOf(document)?.session === undefined) return
  throw invalid(kind, document.name, [forbiddenField('spec.type', 'a session has no value: end it, and sign in again')])
}

async function rotate(
  parts: KeyParts,
  keys: ResourceContext,
  overlapSeconds: number,
  { user, name, dryRun, warn }: ReviewContext,
): Promise<KubeObject> {
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
    await requireChangeRights({ name, old: spec, spec, owner, oldOwner: owner, value }, request, parts)
    const rotated = rotatedKey(parts, current, value, overlapSeconds)
    if (dryRun) return current.object
    const stored = await storeChanged(keys, current, rotated.object, sealedBytes(sealedForm(rotated.sealed)))
    if (stored.outcome === 'written') {
      warnOfRotation({ warn }, rotated)
      return revealing(value.value)(stored.document.object)
    }
    current = ifVisible(stored.current, visibility)
  }
}
