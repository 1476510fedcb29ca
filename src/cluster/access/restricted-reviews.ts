import { forbidden } from '../../api/error.ts'
import { refusalOfAction } from '../../registry/admission/node-restriction/restricted-action.ts'
import type { Engine } from '../../registry/context.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'

/** Restricts evictions, and other actions that are requested by creating a subresource, like writes. */
export function restrictedForNodes(review: ReviewResource, engine: Engine): ReviewResource {
  const { parent, hasOwnParent, plural: subresource } = review
  if (parent === undefined || hasOwnParent === true) return review
  return {
    ...review,
    review: (object, context) => {
      const { user, namespace, name } = context
      const refusal = refusalOfAction({ user, parent, subresource, namespace, name, object }, engine)
      if (refusal !== undefined) throw forbidden({ plural: parent, group: '' }, name, refusal)
      return review.review(object, context)
    },
  }
}
