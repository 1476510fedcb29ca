import { kindMessageSchema } from '../../api/core/message-schema.ts'
import { badRequest } from '../../api/error.ts'
import type { AuthenticationResult } from '../../auth/contract.ts'
import { objectAt, textAt, textsAt } from '../../auth/member.ts'
import { answered } from './answer.ts'
import type { ReviewDependencies, ReviewResource } from './contract.ts'
import { presentedUser } from './user-info.ts'

const gvk = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview' }
const protobufMessage = 'k8s.io.api.authentication.v1.TokenReview'

/** Whose token is this? */
export function tokenReview({
  authenticator,
  serverAudiences,
}: Pick<ReviewDependencies, 'authenticator' | 'serverAudiences'>): ReviewResource {
  return {
    ...gvk,
    plural: 'tokenreviews',
    singular: 'tokenreview',
    namespaced: false,
    schema: kindMessageSchema(protobufMessage),
    protobufMessage,
    async review(input) {
      const spec = objectAt(input, 'spec')
      const token = textAt(spec, 'token')
      if (token === '') throw badRequest('token is required for TokenReview in authentication')
      const asked = textsAt(spec, 'audiences')
      const result = await authenticator.authenticateToken(token, asked.length === 0 ? serverAudiences : asked)
      return answered(gvk, { metadata: input.metadata, spec: spec ?? {}, status: statusOf(result) })
    },
  }
}

function statusOf(result: AuthenticationResult): Readonly<Record<string, unknown>> {
  switch (result.outcome) {
    case 'authenticated': {
      const { user, audiences = [] } = result
      return { authenticated: true, user: presentedUser(user), ...(audiences.length === 0 ? {} : { audiences }) }
    }
    case 'unknown':
      return { user: {}, error: 'invalid bearer token' }
    case 'refused':
      return { user: {}, error: `[invalid bearer token, ${result.message}]` }
  }
}
