import { badRequest } from '../../api/error.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { anyObject, integer, object } from '../../api/schema-builder.ts'
import { timestamp } from '../../base/clock.ts'
import { asMembers } from '../../base/json/lenient.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewContext, ReviewResource } from '../../server/reviews/contract.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import { Buckets } from '../access-keys/usage/buckets.ts'
import { shownExtent, shownUse } from '../access-keys/usage/shown-usage.ts'
import { SourceCounter } from '../access-keys/usage/sources.ts'
import type { Trail } from '../audit/trail/trail.ts'
import { keyQuestion, visibleKey } from './about-key.ts'

const bucketCount = 48
const usualWindowSeconds = 24 * 3600
const longestWindowSeconds = 90 * 24 * 3600

/** `POST …/ownedaccesskeys/NAME/usage`: how often a key was used, from where, and for what. */
export function keyUsage(parts: KeyParts, keys: () => ResourceContext, trail: Trail | undefined): ReviewResource {
  const question = keyQuestion('usage', 'AccessKeyUsage', parts)
  return {
    ...question,
    schema: kindSchema(question, 'How an access key is used.', {
      spec: object('What to tell.', {
        windowSeconds: integer(
          `How far to look back, at most ${longestWindowSeconds}. Absent: ${usualWindowSeconds}. It is cut into ${bucketCount} equal parts.`,
        ),
      }),
      status: anyObject(
        'Requests over time and where they came from, as the audit log of the replica that answers tells. In `uses` every kind of request that was allowed, at whichever replica, since `usesSince`, with the last time; what other replicas did in the last `usesDelaySeconds` may be missing. `usesComplete: false` says that some were folded into one, with `*` for what differs.',
      ),
    }),
    review: async ({ spec }, context) => {
      const { object: key } = await visibleKey(keys(), context)
      const { creationTimestamp } = key.metadata
      const bornMs = Date.parse(creationTimestamp ?? '')
      const status = await counted(parts, trail, context, { bornMs, windowSeconds: windowOf(spec) })
      const recorded = await parts.uses.of(key, parts.clock.now())
      return answered(question, {
        spec,
        status: { ...status, uses: recorded.uses.map(shownUse), ...shownExtent(recorded) },
      })
    },
  }
}

async function counted(
  { clock }: KeyParts,
  trail: Trail | undefined,
  context: ReviewContext,
  { bornMs, windowSeconds }: { readonly bornMs: number; readonly windowSeconds: number },
): Promise<object> {
  const spanSeconds = windowSeconds / bucketCount
  const buckets = new Buckets(clock.now(), spanSeconds * 1000, bucketCount)
  const sources = new SourceCounter()
  const filter = { key: context.name, sinceMs: Math.max(buckets.startMs, bornMs) }
  const complete = await trail?.each(context, filter, (entry) => {
    buckets.count(Date.parse(entry.time), entry.decision === 'allow')
    sources.count(entry)
  })
  return {
    bucketSeconds: spanSeconds,
    buckets: buckets.list.map(({ startMs, allowed, refused }) => ({ start: timestamp(startMs), allowed, refused })),
    sources: sources.list(),
    complete: complete ?? false,
  }
}

function windowOf(spec: unknown): number {
  const { windowSeconds = usualWindowSeconds } = asMembers(spec)
  if (typeof windowSeconds === 'number' && windowSeconds >= 60 && windowSeconds <= longestWindowSeconds)
    return windowSeconds
  throw badRequest(`spec.windowSeconds: must be between 60 and ${longestWindowSeconds}`)
}
