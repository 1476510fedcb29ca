import { kindMessageSchema } from '../../api/facts/message-schema.ts'
import { objectAt } from '../../auth/member.ts'
import { attributesFrom, validateAttributes } from './access-attributes.ts'
import {
  answerAccessReview,
  authorizationGroup,
  clusterScoped,
  reviewedUser,
  throwIfInvalid,
  validateEmptyMetadata,
  validateReviewedUser,
} from './access-review.ts'
import type { ReviewDependencies, ReviewResource } from './contract.ts'

const gvk = { group: authorizationGroup, version: 'v1', kind: 'SubjectAccessReview' }
const protobufMessage = 'k8s.io.api.authorization.v1.SubjectAccessReview'

/** Whether another user may do something. */
export function subjectAccessReview({ authorizer }: Pick<ReviewDependencies, 'authorizer'>): ReviewResource {
  return {
    ...gvk,
    plural: 'subjectaccessreviews',
    singular: 'subjectaccessreview',
    namespaced: false,
    isTracked: true,
    schema: kindMessageSchema(protobufMessage),
    protobufMessage,
    review(given) {
      const input = clusterScoped(given)
      const spec = objectAt(input, 'spec')
      throwIfInvalid([
        ...validateAttributes(spec, validateReviewedUser(spec)),
        ...validateEmptyMetadata(input.metadata),
      ])
      return answerAccessReview(gvk, input, attributesFrom(spec, reviewedUser(spec)), authorizer)
    },
  }
}
