import type { Attributes } from '../../api/access.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { CustomResourceDefinition } from '../../api/types/apiextensions-v1.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { monotonicClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { packageVersion } from '../../base/package-version.ts'
import type { Random } from '../../base/random.ts'
import type { Hooks } from '../../registry/context.ts'
import { type ConvertObjects, conversionBy } from '../../registry/custom-resources/conversion-webhook.ts'
import { Policies } from '../../registry/policies/policies.ts'
import type { ObjectRegistry } from '../../registry/registry.ts'
import { storagePrefix } from '../../registry/storage-key.ts'
import type { AdmissionAttributes, WebhookAddressRules } from '../../registry/webhooks/contract.ts'
import { type ConvertKind, convertedByStorage } from '../../registry/webhooks/shown-kind.ts'
import { WebhookClient } from '../../registry/webhooks/webhook-client.ts'
import type { WebhookCredentials } from '../../registry/webhooks/webhook-credentials.ts'
import { withWebhooks } from '../../registry/webhooks/webhook-hooks.ts'
import { WebhookMetrics } from '../../registry/webhooks/webhook-metrics.ts'
import { admissionLimits, conversionLimits, WebhookTraffic } from '../../registry/webhooks/webhook-traffic.ts'
import { Webhooks } from '../../registry/webhooks/webhooks.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { ReviewContext, ReviewResource } from '../../server/reviews/contract.ts'
import { kindOfReview } from '../../server/routes/review.ts'
import { admittedConnections, type ConnectionJudges } from './admitted-connections.ts'

export interface ClusterWebhooksOptions {
  readonly reach: WebhookAddressRules
  /** Credentials for admission webhooks. Absent: none. */
  readonly credentials?: WebhookCredentials | undefined
  readonly registry: ObjectRegistry
  readonly random: Random
  readonly log: Log
}

/** The webhooks of a cluster, and where they are called. */
export interface ClusterWebhooks {
  readonly withWebhooks: (kind: Kind, hooks: Hooks) => Hooks
  /** Also calls webhooks for actions that are requested by creating an object that is not stored. */
  readonly askedAbout: (review: ReviewResource, authorizer: Authorizer) => ReviewResource
  /** Also calls webhooks for a connection into a Pod. */
  readonly beforeConnecting: (route: ExtraRoute, authorizer: Authorizer) => ExtraRoute
  readonly conversionBy: (definition: CustomResourceDefinition) => ConvertObjects
  readonly metrics: () => string
  readonly close: () => void
}

export function clusterWebhooks(options: ClusterWebhooksOptions): ClusterWebhooks {
  const { reach, credentials, registry, random, log } = options
  const { engine } = registry
  const client = new WebhookClient({
    addresses: reach.addresses,
    resolveService: reach.services(engine),
    mostConnections: admissionLimits.calls,
    userAgent: `tenant-admission/${packageVersion()}`,
  })
  const metrics = new WebhookMetrics()
  const traffic = new WebhookTraffic(admissionLimits)
  const conversions = new WebhookTraffic(conversionLimits)
  const webhooks = new Webhooks({ engine, client, credentials, traffic, metrics, elapsed: monotonicClock, random, log })
  const equivalents = equivalentKinds(registry)
  const convert = converting(registry)
  const policies = new Policies({ engine, equivalents, convert, elapsed: monotonicClock })
  return {
    withWebhooks: (kind, hooks) => withWebhooks(kind, hooks, { webhooks, policies, equivalents, convert }),
    askedAbout: (review, authorizer) =>
      isQuestion(review) ? review : askedBefore(review, { webhooks, policies, authorizer }),
    beforeConnecting: (route, authorizer) => admittedConnections(route, { webhooks, policies, authorizer }),
    conversionBy: (definition) => conversionBy(definition, { client, traffic: conversions, random }),
    metrics: () => metrics.render(),
    close: () => client.close(),
  }
}

/** Converts objects with the webhook of their definition, or as the kinds define it. */
function converting(registry: ObjectRegistry): ConvertKind {
  return async (object, from, to) => {
    const convert = registry.conversionOf(from)
    if (convert === undefined) return convertedByStorage(object, from, to)
    const [converted = object] = await convert([object], to, neverAborted)
    return converted
  }
}

const neverAborted = new AbortController().signal

/** Kinds that share their objects, cached until the set of kinds changes. */
function equivalentKinds(registry: ObjectRegistry): (kind: Kind) => readonly Kind[] {
  let known = new Map<Kind, readonly Kind[]>()
  registry.onChange(() => {
    known = new Map()
  })
  return (kind) => {
    const found = known.get(kind) ?? kindsBeside(registry, kind)
    known.set(kind, found)
    return found
  }
}

function kindsBeside(registry: ObjectRegistry, kind: Kind): readonly Kind[] {
  const prefix = storagePrefix(kind)
  const kinds = registry.resources().map((resource) => resource.kind)
  return kinds.filter((other) => other !== kind && storagePrefix(other) === prefix)
}

function askedBefore(review: ReviewResource, judges: ConnectionJudges): ReviewResource {
  const { webhooks, policies, authorizer } = judges
  return {
    ...review,
    review: async (input, context) => {
      if (!webhooks.has('mutating') && !webhooks.has('validating') && !policies.has())
        return review.review(input, context)
      const attributes = attributesOfReview(review, inItsNamespace(input, context), context)
      const { user, signal, warn, annotate } = context
      const request = { user, signal, warn, annotate, authorize: (asked: Attributes) => authorizer.authorize(asked) }
      const object = (await webhooks.mutate(attributes, request, (given) => Promise.resolve(given))) ?? input
      await policies.validate({ ...attributes, object }, request)
      await webhooks.validate({ ...attributes, object }, request)
      return review.review(object, context)
    },
  }
}

/** About callers and their rights. Webhooks and policies are not called: questions change nothing. */
function isQuestion({ parent, group }: ReviewResource): boolean {
  return parent === undefined && (group === 'authentication.k8s.io' || group === 'authorization.k8s.io')
}

/** A body may omit the namespace, but rules apply to it. */
function inItsNamespace(input: KubeObject, { namespace }: ReviewContext): KubeObject {
  if ((input.metadata.namespace ?? '') !== '') return input
  return { ...input, metadata: { ...input.metadata, namespace } }
}

function attributesOfReview(review: ReviewResource, input: KubeObject, context: ReviewContext): AdmissionAttributes {
  const { namespace, name, user, dryRun } = context
  const { resource, subresource } = placeOf(review)
  const options = { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' }
  return {
    operation: 'CREATE',
    sent: {
      kind: kindOfReview(review),
      resource,
      show: (object) => object,
      take: (shown) => shown,
    },
    equivalents: () => [],
    subresource,
    namespace,
    name: subresource === '' ? (input.metadata.name ?? '') : name,
    object: input,
    old: undefined,
    options: dryRun ? { ...options, dryRun: ['All'] } : options,
    isDryRun: dryRun,
    user,
  }
}

function placeOf({ parent, hasOwnParent, group, version, plural }: ReviewResource) {
  if (parent === undefined) return { resource: { group, version, resource: plural }, subresource: '' }
  const below = hasOwnParent === true ? { group, version } : { group: '', version: 'v1' }
  return { resource: { ...below, resource: parent }, subresource: plural }
}
