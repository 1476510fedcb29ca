import { notFound } from '../../api/error.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { ifVisible, visibilityFor } from '../../registry/visibility.ts'
import type { ReviewContext, ReviewResource } from '../../server/reviews/contract.ts'
import type { KeyParts } from '../access-keys/parts.ts'

type AskedAboutKey = Omit<ReviewResource, 'schema' | 'review'>

/** The endpoint of a question about one key: `POST …/ownedaccesskeys/NAME/PLURAL`. */
export function keyQuestion(
  plural: string,
  kind: string,
  { kind: { group, version, plural: parent } }: KeyParts,
): AskedAboutKey {
  return { group, version, kind, plural, singular: plural, namespaced: false, parent, hasOwnParent: true }
}

/** The key that a question is about. For a caller who may not see it, it does not exist. */
export async function visibleKey(
  keys: ResourceContext,
  { user, name }: Pick<ReviewContext, 'user' | 'name'>,
): Promise<StoredDocument> {
  await caughtUp(keys.engine)
  const document = ifVisible(keys.cache.get({ namespace: '', name }), await visibilityFor(keys, user))
  if (document === undefined) throw notFound(keys.kind, name)
  return document
}
