import { tooLarge } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { anyObject, boolean, object, string } from '../../api/schema-builder.ts'
import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { tenantConfigSchema } from '../../api/tenant-config/json-schema.ts'
import { asMembers, asText } from '../../base/json/lenient.ts'
import { checkConfig, inOrder } from '../../patches/config/check-config.ts'
import { checkRoundTrips } from '../../patches/config/round-trips.ts'
import { FairQueue } from '../../server/fairness/fair-queue.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { longestConfig } from '../patch-evaluation/question.ts'

const fileName = 'tenant.yaml'

/**
 * `POST …/tenantconfigreviews`: the errors of a tenant.yaml, its effective configuration, and the fields it may
 * contain.
 */
export function configReviews({ group, version }: Pick<Kind, 'group' | 'version'>): ReviewResource {
  const gvk = { group, version, kind: 'TenantConfigReview' }
  const turns = new FairQueue({
    places: 2,
    placesPerOwner: 1,
    waiting: 64,
    waitingPerOwner: 4,
    longestMs: 5_000,
    busy: 'too many configurations are being checked at the moment',
  })
  return {
    ...gvk,
    plural: 'tenantconfigreviews',
    singular: 'tenantconfigreview',
    namespaced: false,
    schema: kindSchema(gvk, 'Checks the text of a tenant.yaml as `tenant config validate` does.', {
      spec: object('What to check.', {
        config: string('The text of the tenant.yaml.'),
        checkRoundTrips: boolean('Also run pairs of expressions there and back.'),
        includeSchema: boolean('Also give the JSON Schema of tenant.yaml, for editors.'),
      }),
      status: anyObject(
        'Problems with their places, and the configuration merged with defaults if there are no errors.',
      ),
    }),
    review: async ({ spec }, context) => {
      const { config, checkRoundTrips: isThorough, includeSchema } = asMembers(spec)
      const text = asText(config)
      if (text.length > longestConfig) throw tooLarge(`a tenant.yaml may have at most ${longestConfig} characters here`)
      const reviewed = await turns.take(context, (signal) => reviewOf(text, isThorough === true, signal))
      return answered(gvk, {
        status: { ...reviewed, ...(includeSchema === true ? { schema: tenantConfigSchema() } : {}) },
      })
    },
  }
}

async function reviewOf(text: string, isThorough: boolean, signal: AbortSignal): Promise<object> {
  const { document, config, problems } = checkConfig(text, fileName)
  if (config === undefined) return { valid: false, problems }
  const trips = isThorough ? await checkRoundTrips(document, config, signal) : []
  return { valid: true, problems: inOrder([...problems, ...trips]), config: effectiveConfig(config) }
}
