import type { Kind } from '../../api/kind.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { answerOf, answerSchema, keyQuestionSchema, readTrailQuestion } from '../audit/trail/question.ts'
import type { Trail } from '../audit/trail/trail.ts'
import { visibleKey } from './about-key.ts'

/** `POST …/ownedaccesskeys/NAME/audit`: the requests made with one key, for callers who may see the key. */
export function keyAudit(kind: Kind, keys: () => ResourceContext, trail: Trail | undefined): ReviewResource {
  const gvk = { group: kind.group, version: kind.version, kind: 'AccessKeyAudit' }
  return {
    ...gvk,
    plural: 'audit',
    singular: 'audit',
    namespaced: false,
    parent: kind.plural,
    hasOwnParent: true,
    schema: kindSchema(gvk, 'What was done with an access key, from the audit log of the replica that answers.', {
      spec: keyQuestionSchema,
      status: answerSchema,
    }),
    review: async ({ spec }, context) => {
      const { object } = await visibleKey(keys(), context)
      const { filter, limit, after } = readTrailQuestion(spec)
      const bornMs = Date.parse(object.metadata.creationTimestamp ?? '')
      const own = { ...filter, key: context.name, sinceMs: Math.max(filter.sinceMs ?? 0, bornMs) }
      return answered(gvk, { spec, status: answerOf(await trail?.page(context, own, limit, after)) })
    },
  }
}
