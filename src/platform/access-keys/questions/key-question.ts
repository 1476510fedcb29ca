import type { ReviewResource } from '../../../server/reviews/contract.ts'
import type { KeyParts } from '../parts.ts'

type AskedAboutKey = Omit<ReviewResource, 'schema' | 'review'>

/** Where a question about one key is asked: `POST …/ownedaccesskeys/NAME/PLURAL`. */
export function keyQuestion(
  plural: string,
  kind: string,
  { kind: { group, version, plural: parent } }: KeyParts,
): AskedAboutKey {
  return { group, version, kind, plural, singular: plural, namespaced: false, parent, hasOwnParent: true }
}
