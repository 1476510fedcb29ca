import type { Kind } from '../../api/kind.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { anyObject } from '../../api/schema-builder.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { visibleKey } from '../access-keys/questions/visible-key.ts'
import { anyQuestion, keyQuestion, positionText, readQuestion } from './question.ts'
import type { Trail, TrailPage } from './trail.ts'

const status = anyObject('The requests, newest first.')

/** `POST …/auditqueries`: what was asked of this platform, for whoever may see what everybody does. */
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
      spec: anyQuestion,
      status,
    }),
    review: async ({ spec }, context) => {
      const { filter, limit, after } = readQuestion(spec)
      return answered(gvk, { spec, status: statusOf(await trail?.page(context, filter, limit, after)) })
    },
  }
}

/** `POST …/ownedaccesskeys/NAME/audit`: what was done with one key, for whoever may see the key. */
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
      spec: keyQuestion,
      status,
    }),
    review: async ({ spec }, context) => {
      const { object } = await visibleKey(keys(), context)
      const { filter, limit, after } = readQuestion(spec)
      const bornMs = Date.parse(object.metadata.creationTimestamp ?? '')
      const own = { ...filter, key: context.name, sinceMs: Math.max(filter.sinceMs ?? 0, bornMs) }
      return answered(gvk, { spec, status: statusOf(await trail?.page(context, own, limit, after)) })
    },
  }
}

/** Without an audit log there is nothing to tell, and the answer says why. */
function statusOf(page: TrailPage | undefined): object {
  if (page === undefined) return { enabled: false, complete: false, entries: [] }
  const { entries, complete, next } = page
  return { enabled: true, complete, entries, ...(next === undefined ? {} : { continue: positionText(next) }) }
}
