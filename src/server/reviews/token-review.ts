import { badRequest } from '../../api/error.ts'
import { kindMessageSchema } from '../../api/facts/message-schema.ts'
import { sharedAudiences } from '../../auth/audiences.ts'
import type { AuthenticationResult } from '../../auth/contract.ts'
import { objectAt, textAt, textsAt } from '../../auth/member.ts'
import { unavailableFor } from '../callers/authenticate.ts'
import { answered } from './answer.ts'
import type { ReviewDependencies, ReviewResource } from './contract.ts'
import { presentedUser } from './user-info.ts'

const gvk = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview' }
const protobufMessage = 'k8s.io.api.authentication.v1.TokenReview'

/** Which user a token belongs to. */
export function tokenReview({
  authenticator,
  serverAudiences,
}: Pick<ReviewDependencies, 'authenticator' | 'serverAudiences'>): ReviewResource {
  return {
    ...gvk,
    plural: 'tokenreviews',
    singular: 'tokenreview',
    namespaced: false,
    isTracked: true,
    schema: kindMessageSchema(protobufMessage),
    protobufMessage,
    async review(input) {
      const spec = objectAt(input, 'spec')
      const token = textAt(spec, 'token')
      if (token === '') throw badRequest('token is required for TokenReview in authentication')
      const named = textsAt(spec, 'audiences')
      const asked = named.length === 0 ? serverAudiences : named
      const result = await authenticator.authenticateToken(token, asked)
      const status = statusOf(meantFor(result, asked, serverAudiences))
      return answered(gvk, { metadata: input.metadata, spec: spec ?? {}, status })
    },
  }
}

/** A token that names no audience is meant only for this server. */
function meantFor(
  result: AuthenticationResult,
  asked: readonly string[],
  serverAudiences: readonly string[],
): AuthenticationResult {
  if (result.outcome !== 'authenticated' || result.audiences !== undefined) return result
  const audiences = sharedAudiences(asked, serverAudiences)
  return audiences.length === 0 ? { outcome: 'unknown' } : { ...result, audiences }
}

function statusOf(result: AuthenticationResult): Readonly<Record<string, unknown>> {
  switch (result.outcome) {
    case 'authenticated': {
      const { user, audiences } = result
      return { authenticated: true, user: presentedUser(user), audiences }
    }
    case 'unknown':
      return { user: {}, error: 'invalid bearer token' }
    case 'unavailable':
      throw unavailableFor(result)
    case 'refused':
      return { user: {}, error: `[invalid bearer token, ${result.message}]` }
  }
}
