import { notFound } from '../../../api/error.ts'
import type { ResourceContext } from '../../../registry/context.ts'
import type { StoredDocument } from '../../../registry/document.ts'
import { caughtUp } from '../../../registry/freshness.ts'
import { ifVisible, visibilityFor } from '../../../registry/visibility.ts'
import type { ReviewContext } from '../../../server/reviews/contract.ts'

/** The key that a question is about; for whoever may not see it, there is none. */
export async function visibleKey(
  keys: ResourceContext,
  { user, name }: Pick<ReviewContext, 'user' | 'name'>,
): Promise<StoredDocument> {
  await caughtUp(keys.engine)
  const document = ifVisible(keys.cache.get({ namespace: '', name }), await visibilityFor(keys, user))
  if (document === undefined) throw notFound(keys.kind, name)
  return document
}
