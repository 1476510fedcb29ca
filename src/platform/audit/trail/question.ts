import { badRequest } from '../../../api/error.ts'
import { anyObject, integer, object, oneOf, string, time } from '../../../api/schema-builder.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import type { AuditLinePosition } from './lines-backwards.ts'
import type { TrailFilter, TrailPage } from './trail.ts'

export interface TrailQuestion {
  readonly filter: TrailFilter
  readonly limit: number
  readonly after?: AuditLinePosition
}

const usualLimit = 100
const mostEntries = 1000

const common = {
  verb: string('Only requests with this verb.'),
  decision: oneOf('Only requests that were decided so.', ['allow', 'deny', 'unauthenticated']),
  since: time('Only requests from then on.'),
  until: time('Only requests until then.'),
  limit: integer(`How many requests to list, at most ${mostEntries}. Absent: ${usualLimit}.`),
  continue: string('`status.continue` of the previous answer: the next entries.'),
}

/** The schema of a query about the requests of one key. */
export const keyQuestionSchema = object('Which requests to list. A request must match every field that is set.', common)

export const anyQuestionSchema = object('Which requests to list. A request must match every field that is set.', {
  key: string('Only requests with this access key, by the name of its object.'),
  user: string('Only requests of this user.'),
  ...common,
})

export const answerSchema = anyObject('The requests, newest first.')

export function readTrailQuestion(spec: unknown): TrailQuestion {
  const { key, user, verb, decision, since, until, limit, continue: after } = asMembers(spec)
  return {
    filter: {
      ...text('key', key),
      ...text('user', user),
      ...text('verb', verb),
      ...text('decision', decision),
      ...moment('sinceMs', since),
      ...moment('untilMs', until),
    },
    limit: limitOf(limit),
    ...positionIn(after),
  }
}

/** Without an audit log there are no entries, and the answer says that it is disabled. */
export function answerOf(page: TrailPage | undefined): object {
  if (page === undefined) return { enabled: false, complete: false, entries: [] }
  const { entries, complete, next } = page
  return { enabled: true, complete, entries, ...(next === undefined ? {} : { continue: positionText(next) }) }
}

function limitOf(limit: unknown): number {
  if (limit === undefined || limit === null) return usualLimit
  if (typeof limit === 'number' && limit >= 1 && limit <= mostEntries) return limit
  throw badRequest(`spec.limit: must be between 1 and ${mostEntries}`)
}

const position = /^(\d{1,20})-(\d{1,15})$/

function positionText({ file, offset }: AuditLinePosition): string {
  return `${file}-${offset}`
}

function positionIn(value: unknown): Pick<TrailQuestion, 'after'> {
  if (typeof value !== 'string' || value === '') return {}
  const [, file, offset] = position.exec(value) ?? []
  if (file === undefined) throw badRequest('spec.continue: must be status.continue of the previous answer')
  return { after: { file, offset: Number(offset) } }
}

function text(name: string, value: unknown): Readonly<Record<string, string>> {
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}

function moment(name: string, value: unknown): Readonly<Record<string, number>> {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? {} : { [name]: ms }
}
