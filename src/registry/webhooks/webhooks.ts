import { internalError } from '../../api/error.ts'
import { quoted } from '../../api/human/go-syntax.ts'
import type { KubeObject } from '../../api/object.ts'
import { deepEqual } from '../../base/equal.ts'
import { Pace, type Pacing, paced } from '../../base/pace.ts'
import type { Engine } from '../context.ts'
import { type AskingParts, askWebhook } from './ask-webhook.ts'
import { type ConfiguredWebhook, WebhookTable, type WebhookType } from './configured-webhook.ts'
import type { AdmissionAttributes, AskingRequest, ShownKind } from './contract.ts'
import { deniedBy } from './denial.ts'
import { Reinvocations } from './reinvocations.ts'
import type { WebhookAnswer } from './review-answer.ts'
import { type ShownTexts, shownTexts, type TextsFor } from './review-request.ts'
import { annotateAnswer, annotateMutation, type WebhookTurn } from './webhook-annotations.ts'
import { failedCalling, WebhookFailure } from './webhook-failure.ts'
import { matchRequest, meetsConditions } from './webhook-match.ts'
import { patchedSteps } from './webhook-patch.ts'

export interface WebhooksOptions extends AskingParts {
  readonly engine: Engine
}

/** For all webhooks of one request together. */
const longestMs = 60_000
/** Webhooks of one kind for one request: each receives the whole object. */
const mostAsked = 100
/** Validating webhooks are called in parallel, within this total size. */
const sideBySide = 16
const sideBySideBytes = 4 * 1024 * 1024

interface Match {
  readonly webhook: ConfiguredWebhook
  readonly shown: ShownKind
}

interface Asked {
  readonly request: AskingRequest
  readonly texts: TextsFor
  readonly deadlineMs: number
}

interface AskedRound {
  readonly request: AskingRequest
  readonly reinvocations: Reinvocations
  readonly deadlineMs: number
  readonly round: number
}

/** Calls the webhooks of a cluster for requests. */
export class Webhooks {
  readonly #options: WebhooksOptions
  readonly #tables = new Map<WebhookType, WebhookTable>()

  constructor(options: WebhooksOptions) {
    this.#options = options
  }

  /** Whether there are any webhooks. Most clusters have none, and their writes should not pay for them. */
  has(type: WebhookType): boolean {
    return this.#all(type).length > 0
  }

  /**
   * The object after the webhooks' changes. `mutateAgain` repeats the cluster's own additions, which parts added by a
   * webhook may lack.
   */
  async mutate(
    attributes: AdmissionAttributes,
    request: AskingRequest,
    mutateAgain: (object: KubeObject) => Promise<KubeObject>,
  ): Promise<KubeObject | undefined> {
    const reinvocations = new Reinvocations()
    const asked = { request, reinvocations, deadlineMs: this.#deadline() }
    const first = await this.#round(attributes, { ...asked, round: 0 }, () => true)
    if (first === attributes.object || first === undefined) return first
    const again = await mutateAgain(first)
    if (!deepEqual(again, first)) reinvocations.changed()
    const next = { ...attributes, object: again }
    return this.#round(next, { ...asked, round: 1 }, (webhook) => reinvocations.isDue(webhook))
  }

  /** Throws the error that refuses the request. */
  async validate(attributes: AdmissionAttributes, request: AskingRequest): Promise<void> {
    const waiting = await this.#matching(attributes, request)
    if (waiting.length === 0) return
    const asked = { request, texts: shownTexts(attributes), deadlineMs: this.#deadline() }
    let index = 0
    await this.#options.traffic.request(async () => {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        const together = waiting.splice(0, parallelCalls(await asked.texts(next.shown)))
        const calls = together.map((match) => this.#ask(match, attributes, asked))
        const outcomes = await Promise.allSettled(calls)
        together.forEach(({ webhook }, at) => {
          const outcome = outcomes[at]
          if (outcome?.status === 'rejected') throw outcome.reason
          heed(outcome?.value, webhook, { round: 0, index }, request)
          index += 1
        })
      }
    })
  }

  /** Gives other work its turn: users may configure many webhooks. */
  async #matching(attributes: AdmissionAttributes, request: AskingRequest): Promise<Match[]> {
    const pace = new Pace({ party: attributes.user.name, signal: request.signal })
    const found: Match[] = []
    for (const webhook of this.#all('validating')) {
      await pace.step()
      const match = await this.#match(webhook, attributes, request, pace)
      if (match !== undefined) found.push(match)
      requireFew(found.length)
    }
    return found
  }

  async #round(
    attributes: AdmissionAttributes,
    asked: AskedRound,
    isDue: (webhook: ConfiguredWebhook) => boolean,
  ): Promise<KubeObject | undefined> {
    const { request, reinvocations, deadlineMs, round } = asked
    const pace = new Pace({ party: attributes.user.name, signal: request.signal })
    let { object } = attributes
    let calls = 0
    for (const [index, webhook] of this.#all('mutating').entries()) {
      await pace.step()
      const current = { ...attributes, object }
      const match = isDue(webhook) ? await this.#match(webhook, current, request, pace) : undefined
      if (match === undefined) continue
      calls += 1
      requireFew(calls)
      const texts = shownTexts(current)
      const answer = await this.#options.traffic.request(() =>
        this.#ask(match, current, { request, texts, deadlineMs }),
      )
      heed(answer, webhook, { round, index }, request)
      const patchable = attributes.operation === 'CONNECT' ? undefined : object
      const changed = answer && (await changedBy(match, answer, patchable, pace))
      if (request.annotate) annotateMutation(webhook, changed !== undefined, { round, index }, request.annotate)
      if (changed !== undefined) {
        object = changed
        reinvocations.changed()
      }
      reinvocations.asked(webhook)
    }
    return object
  }

  #ask({ webhook, shown }: Match, attributes: AdmissionAttributes, { request, texts, deadlineMs }: Asked) {
    return askWebhook({ webhook, shown, attributes, texts, signal: request.signal, deadlineMs }, this.#options)
  }

  async #match(
    webhook: ConfiguredWebhook,
    attributes: AdmissionAttributes,
    request: AskingRequest,
    pace: Pacing,
  ): Promise<Match | undefined> {
    const shown = matchRequest(webhook, attributes, this.#options.engine)
    if (shown === undefined) return undefined
    return (await meetsConditions(webhook, attributes, shown, request, pace)) ? { webhook, shown } : undefined
  }

  #deadline(): number {
    return this.#options.elapsed.now() + longestMs
  }

  #all(type: WebhookType): readonly ConfiguredWebhook[] {
    const table = this.#tables.get(type) ?? this.#table(type)
    return table?.all ?? []
  }

  /** Undefined if they are not served. */
  #table(type: WebhookType): WebhookTable | undefined {
    const kind = type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration'
    const context = this.#options.engine.find('admissionregistration.k8s.io', kind)
    if (context === undefined) return undefined
    const table = new WebhookTable(context, type)
    this.#tables.set(type, table)
    return table
  }
}

/** How many are called in parallel. */
export function parallelCalls({ object, oldObject }: ShownTexts): number {
  const fitting = Math.floor(sideBySideBytes / (object.length + oldObject.length))
  return Math.max(1, Math.min(sideBySide, fitting))
}

function requireFew(calls: number): void {
  if (calls <= mostAsked) return
  throw internalError(
    `more than ${mostAsked} admission webhooks match the request: configure fewer, or narrow their rules`,
  )
}

/** Passes on the webhook's warnings, records its audit annotations, and throws its refusal. */
function heed(
  answer: WebhookAnswer | undefined,
  webhook: ConfiguredWebhook,
  turn: WebhookTurn,
  { warn, annotate }: AskingRequest,
): void {
  for (const text of answer?.warnings ?? []) warn(text)
  if (annotate) annotateAnswer(webhook, answer, turn, annotate)
  if (answer?.isAllowed === false) throw deniedBy(webhook.name, answer.status)
}

/** Undefined: the webhook leaves the object unchanged. Its patch may take as long as any that a client sends. */
async function changedBy(
  { webhook, shown }: Match,
  answer: WebhookAnswer,
  object: KubeObject | undefined,
  pace: Pace,
): Promise<KubeObject | undefined> {
  if (answer.patch === '') return undefined
  if (object === undefined) throw cannotModify(webhook.name)
  const before = await shown.show(object)
  try {
    const after = await paced(patchedSteps(webhook.name, answer, before, shown.kind), pace)
    await pace.step()
    return deepEqual(after, before) ? undefined : await shown.take(after, object)
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error
    if (webhook.failsOpen) return undefined
    throw failedCalling(webhook.name, error)
  }
}

function cannotModify(name: string): Error {
  const what = 'attempted to modify the object, which is not supported for this operation'
  return internalError(`admission webhook ${quoted(name)} ${what}`)
}
