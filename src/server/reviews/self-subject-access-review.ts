import { kindMessageSchema } from '../../api/facts/message-schema.ts'
import { objectAt } from '../../auth/member.ts'
import { attributesFrom, validateAttributes } from './access-attributes.ts'
import {
  answerAccessReview,
  authorizationGroup,
  clusterScoped,
  throwIfInvalid,
  validateEmptyMetadata,
} from './access-review.ts'
import type { ReviewDependencies, ReviewResource } from './contract.ts'

const gvk = { group: authorizationGroup, version: 'v1', kind: 'SelfSubjectAccessReview' }
const protobufMessage = 'k8s.io.api.authorization.v1.SelfSubjectAccessReview'

/** Whether the caller may do something. */
export function selfSubjectAccessReview({ authorizer }: Pick<ReviewDependencies, 'authorizer'>): ReviewResource {
  return {
    ...gvk,
    plural: 'selfsubjectaccessreviews',
    singular: 'selfsubjectaccessreview',
    namespaced: false,
    isTracked: true,
    schema: kindMessageSchema(protobufMessage),
    protobufMessage,
    review(given, { user }) {
      const input = clusterScoped(given)
      const spec = objectAt(input, 'spec')
      throwIfInvalid([...validateAttributes(spec), ...validateEmptyMetadata(input.metadata)])
      return answerAccessReview(gvk, input, attributesFrom(spec, user), authorizer)
    },
  }
}
