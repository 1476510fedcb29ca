import { invalid, notFound } from '../../api/error.ts'
import { invalidField } from '../../api/field-error.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import type { KubeObject } from '../../api/object.ts'
import { boolean, integer, object, string } from '../../api/schema-builder.ts'
import { mintProof } from '../../auth/proofs/proof-value.ts'
import { timestamp } from '../../base/clock.ts'
import { asMembers } from '../../base/json/lenient.ts'
import type { Random } from '../../base/random.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { ObjectId } from '../../registry/document.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { changeIdentity } from '../virtual-clusters/identity/change-identity.ts'
import { provenCondition, withProvenCondition } from '../virtual-clusters/identity/identity-status.ts'
import { provenBy, reopened } from '../virtual-clusters/identity/proof-result.ts'

export interface ReissueParts {
  readonly virtualClusters: () => ResourceContext
  readonly random: Random
  readonly group: string
}

const defaultSeconds = 15 * 60
const longestSeconds = 24 * 3600

interface Wish {
  readonly isAnswered: boolean
  readonly seconds: number
}

/**
 * `POST …/virtualclusterinstances/NAME/reissue`: voids the proof of a virtual cluster and ends its links. The answer
 * contains a new proof, or the first registrant under this name gets one and confirms it by using it.
 */
export function reissue(parts: ReissueParts): ReviewResource {
  const gvk = { group: parts.group, version: 'v1', kind: 'VirtualClusterReissue' }
  return {
    ...gvk,
    plural: 'reissue',
    singular: 'reissue',
    namespaced: true,
    parent: 'virtualclusterinstances',
    hasOwnParent: true,
    schema: kindSchema(
      gvk,
      'Gives a virtual cluster a new proof of who it is, in place of one that is lost or known to others.',
      {
        spec: object('How it gets there.', {
          answer: boolean(
            'When true, the proof is in the answer, once, and nothing is left open. Put it where the virtual cluster looks for it.',
          ),
          seconds: integer(
            `How long the virtual cluster may fetch it by registering; 0 or absent: ${defaultSeconds}. Any caller with an access key that covers it could in that time.`,
          ),
        }),
        status: object('What became of it.', {
          proof: string('The new proof, if it was asked for. It is shown once.'),
          until: string('Until when the virtual cluster may fetch it.'),
        }),
      },
    ),
    review: async ({ spec }, { namespace, name, dryRun }) => {
      const instances = parts.virtualClusters()
      const wish = wishOf(spec, gvk, name)
      await caughtUp(instances.engine)
      if (instances.cache.get({ namespace, name }) === undefined) throw notFound(instances.kind, name)
      const status = dryRun ? {} : await give(parts, { namespace, name }, wish)
      return answered(gvk, { spec, status })
    },
  }
}

function wishOf(spec: unknown, kind: { readonly kind: string; readonly group: string }, name: string): Wish {
  const { answer, seconds = defaultSeconds } = asMembers(spec)
  if (typeof seconds === 'number' && seconds >= 1 && seconds <= longestSeconds)
    return { isAnswered: answer === true, seconds }
  throw invalid(kind, name, [invalidField('spec.seconds', seconds, `must be between 1 and ${longestSeconds}`)])
}

async function give({ virtualClusters, random }: ReissueParts, id: ObjectId, wish: Wish) {
  const instances = virtualClusters()
  const nowMs = instances.engine.clock.now()
  const proof = mintProof(random).value
  const until = timestamp(nowMs + wish.seconds * 1000)
  const isGiven = await changeIdentity(instances, id, ({ object: current }) =>
    wish.isAnswered
      ? { identity: provenBy(proof), object: provenAnew(current, nowMs) }
      : {
          identity: reopened(nowMs + wish.seconds * 1000),
          object: withProvenCondition(current, reopenedUntil(until), nowMs),
        },
  )
  if (!isGiven) throw notFound(instances.kind, id.name)
  return wish.isAnswered ? { proof } : { until }
}

/** Counts as proven from now on, whatever it was before: the new transition time shows that the proof has changed. */
function provenAnew(object: KubeObject, nowMs: number): KubeObject {
  const voided = withProvenCondition(object, { ...provenCondition, status: 'False' }, nowMs)
  return withProvenCondition(voided, provenCondition, nowMs)
}

function reopenedUntil(until: string) {
  const message = `An administrator has voided the proof. The virtual cluster gets a new one when it registers until ${until}.`
  return { status: 'False', reason: 'Reissued', message } as const
}
