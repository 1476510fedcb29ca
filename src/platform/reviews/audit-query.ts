import type { Kind } from '../../api/kind.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { answerOf, answerSchema, anyQuestionSchema, readTrailQuestion } from '../audit/trail/question.ts'
import type { Trail } from '../audit/trail/trail.ts'

/** `POST …/auditqueries`: the requests to this platform, for callers who may see what all users do. */
export function auditQueries(
  { group, version }: Pick<Kind, 'group' | 'version'>,
  trail: Trail | undefined,
): ReviewResource {
  const gvk = { group, version, kind: 'AuditQuery' }
  return {
    ...gvk,
    plural: 'auditqueries',
    singular: 'auditquery',
    namespaced: false,
    schema: kindSchema(gvk, 'A question about the audit log of the replica that answers it.', {
      spec: anyQuestionSchema,
      status: answerSchema,
    }),
    review: async ({ spec }, context) => {
      const { filter, limit, after } = readTrailQuestion(spec)
      return answered(gvk, { spec, status: answerOf(await trail?.page(context, filter, limit, after)) })
    },
  }
}
