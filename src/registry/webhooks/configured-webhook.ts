import { compileMatchConditions, type MatchConditions } from '../../api/admissionregistration/match-conditions.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import { narrowingSelector } from '../../api/selectors/label-selector-object.ts'
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  WebhookClientConfig,
} from '../../api/types/admissionregistration-v1.ts'
import { lazily } from '../../base/lazily.ts'
import type { ResourceContext } from '../context.ts'
import { RememberedFacts } from '../remembered-facts.ts'
import { RuleTable } from './rule-match.ts'

export type WebhookType = 'mutating' | 'validating'

/** One webhook of a configuration, with its selectors parsed. */
export interface ConfiguredWebhook {
  /** Distinguishes webhooks with the same name in several configurations. */
  readonly id: string
  readonly configuration: string
  readonly name: string
  readonly type: WebhookType
  readonly client: WebhookClientConfig
  readonly rules: RuleTable
  readonly matchesEquivalents: boolean
  /** Absent: all match. */
  readonly namespaces: LabelSelector | undefined
  readonly objects: LabelSelector | undefined
  /** Compiled on first use. Absent: there are none. */
  readonly conditions: (() => MatchConditions) | undefined
  readonly failsOpen: boolean
  readonly timeoutMs: number
  /** The first version of AdmissionReview in its list that this server supports. */
  readonly reviewVersion: 'v1' | 'v1beta1'
  readonly isReinvoked: boolean
}

const usualTimeoutSeconds = 10

/** The webhooks of all configurations of one kind, in calling order: by the names of the configurations. */
export class WebhookTable {
  readonly #context: ResourceContext
  readonly #webhooks: RememberedFacts<readonly ConfiguredWebhook[]>
  #all: readonly ConfiguredWebhook[] | undefined

  constructor(context: ResourceContext, type: WebhookType) {
    this.#context = context
    this.#webhooks = new RememberedFacts((object) => configuredWebhooks(object as MutatingWebhookConfiguration, type))
    context.cache.listen(() => {
      this.#all = undefined
    })
  }

  get all(): readonly ConfiguredWebhook[] {
    this.#all ??= this.#webhooks.ofAll(this.#context.cache).flat()
    return this.#all
  }
}

function configuredWebhooks(
  { metadata, webhooks = [] }: MutatingWebhookConfiguration,
  type: WebhookType,
): readonly ConfiguredWebhook[] {
  return webhooks.map((webhook) => configuredWebhook(metadata.name ?? '', webhook, type))
}

function configuredWebhook(
  configuration: string,
  webhook: MutatingWebhook | ValidatingWebhook,
  type: WebhookType,
): ConfiguredWebhook {
  const { name, clientConfig, timeoutSeconds = usualTimeoutSeconds, admissionReviewVersions } = webhook
  const { matchConditions = [] } = webhook
  const known = (admissionReviewVersions ?? []).find((version) => version === 'v1' || version === 'v1beta1')
  return {
    id: `${type}/${configuration}/${name}`,
    configuration,
    name,
    type,
    client: clientConfig,
    rules: new RuleTable(webhook.rules ?? []),
    matchesEquivalents: webhook.matchPolicy !== 'Exact',
    namespaces: narrowingSelector(webhook.namespaceSelector),
    objects: narrowingSelector(webhook.objectSelector),
    conditions: matchConditions.length > 0 ? lazily(() => compileMatchConditions(matchConditions)) : undefined,
    failsOpen: webhook.failurePolicy === 'Ignore',
    timeoutMs: timeoutSeconds * 1000,
    reviewVersion: known === 'v1beta1' ? 'v1beta1' : 'v1',
    isReinvoked: 'reinvocationPolicy' in webhook && webhook.reinvocationPolicy === 'IfNeeded',
  }
}
