import { kindMessageSchema } from '../../api/facts/message-schema.ts'
import { timestamp } from '../../base/clock.ts'
import { answered } from './answer.ts'
import type { ReviewDependencies, ReviewResource } from './contract.ts'
import { presentedUser } from './user-info.ts'

const gvk = { group: 'authentication.k8s.io', version: 'v1', kind: 'SelfSubjectReview' }
const protobufMessage = 'k8s.io.api.authentication.v1.SelfSubjectReview'

/** Who the caller is. */
export function selfSubjectReview({ clock }: Pick<ReviewDependencies, 'clock'>): ReviewResource {
  return {
    ...gvk,
    plural: 'selfsubjectreviews',
    singular: 'selfsubjectreview',
    namespaced: false,
    schema: kindMessageSchema(protobufMessage),
    protobufMessage,
    review: (_input, { user }) =>
      answered(gvk, {
        metadata: { creationTimestamp: timestamp(clock.now()) },
        status: { userInfo: presentedUser(user) },
      }),
  }
}
