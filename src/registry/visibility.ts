import type { UserInfo } from '../api/access.ts'
import type { ResourceContext } from './context.ts'
import type { Visibility } from './contract.ts'
import type { StoredDocument } from './document.ts'

/** Which objects of the kind exist for the user; undefined means all. */
export async function visibilityFor(context: ResourceContext, user: UserInfo): Promise<Visibility | undefined> {
  return context.hooks.visibility?.(user)
}

export function ifVisible(
  document: StoredDocument | undefined,
  visibility: Visibility | undefined,
): StoredDocument | undefined {
  return document === undefined || visibility?.sees(document) === false ? undefined : document
}
