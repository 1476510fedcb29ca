import type { UserInfo } from '../api/access.ts'
import { exactName } from '../api/selectors/field-selector.ts'
import type { ResourceContext } from './context.ts'
import type { AskedCollection, Visibility } from './contract.ts'
import type { StoredDocument } from './document.ts'

/** Which objects of the kind exist for the user; undefined means all. */
export async function visibilityFor(context: ResourceContext, user: UserInfo): Promise<Visibility | undefined> {
  return context.hooks.visibility?.(user)
}

interface CollectionOptions {
  readonly user: UserInfo
  readonly fieldSelector: string
}

/** Which objects of the kind a list or a watch shows to the user; undefined means all. */
export async function listVisibilityFor(
  context: ResourceContext,
  verb: AskedCollection['verb'],
  namespace: string,
  { user, fieldSelector }: CollectionOptions,
): Promise<Visibility | undefined> {
  const { listVisibility } = context.hooks
  if (listVisibility === undefined) return visibilityFor(context, user)
  return listVisibility(user, { verb, namespace, name: exactName(fieldSelector) })
}

export function ifVisible(
  document: StoredDocument | undefined,
  visibility: Visibility | undefined,
): StoredDocument | undefined {
  return document === undefined || visibility?.sees(document) === false ? undefined : document
}
