import { badRequest } from '../../api/error.ts'
import { kindMessageSchema } from '../../api/facts/message-schema.ts'
import { objectAt, textAt } from '../../auth/member.ts'
import { authorizationGroup } from './access-review.ts'
import { answered } from './answer.ts'
import type { ReviewDependencies, ReviewResource } from './contract.ts'

const gvk = { group: authorizationGroup, version: 'v1', kind: 'SelfSubjectRulesReview' }
const protobufMessage = 'k8s.io.api.authorization.v1.SelfSubjectRulesReview'

/** What the caller may do in a namespace. The answer does not repeat the question. */
export function selfSubjectRulesReview({ authorizer }: Pick<ReviewDependencies, 'authorizer'>): ReviewResource {
  return {
    ...gvk,
    plural: 'selfsubjectrulesreviews',
    singular: 'selfsubjectrulesreview',
    namespaced: false,
    schema: kindMessageSchema(protobufMessage),
    protobufMessage,
    async review(input, { user }) {
      const namespace = textAt(objectAt(input, 'spec'), 'namespace')
      if (namespace === '') throw badRequest('no namespace on request')
      const { resourceRules, pathRules, incomplete, evaluationError } = await authorizer.rulesFor(user, namespace)
      return answered(gvk, {
        spec: {},
        status: {
          resourceRules,
          nonResourceRules: pathRules,
          incomplete,
          ...(evaluationError === undefined ? {} : { evaluationError }),
        },
      })
    },
  }
}
