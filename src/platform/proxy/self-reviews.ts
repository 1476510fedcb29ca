import type { KeyScope } from '../../api/access.ts'
import { parseBody } from '../../api/decode/body.ts'
import { unreachable } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { ResourceRule, RuleSet } from '../../auth/contract.ts'
import { objectAt, objectsAt, textAt, textsAt } from '../../auth/member.ts'
import type { ScopeEnvironment } from '../../auth/scope/grant.ts'
import { rulesWithin } from '../../auth/scope/rules-within.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { bodyFormat } from '../../server/bodies/body.ts'
import { valueResponse } from '../../server/encode/value.ts'
import type { Exchange, ForwardTarget } from '../../server/exchange.ts'
import type { Response } from '../../server/http.ts'
import { negotiateText } from '../../server/request/negotiate.ts'
import type { RequestInfo } from '../../server/request/request-info.ts'
import { attributesFrom, validateAttributes } from '../../server/reviews/access-attributes.ts'
import { authorizationGroup } from '../../server/reviews/access-review.ts'
import { wholeBody } from './whole-body.ts'

/** Replaces what the client sent. */
export interface Sent {
  readonly body: Buffer
  /** Absent: the type that the client sent. */
  readonly contentType?: string
  /** Whether the answer must be JSON, whatever the client accepts. */
  readonly wantsJson: boolean
}

export type Pass = (exchange: Exchange, onward: ForwardTarget, sent?: Sent) => Promise<Response>

/**
 * APIs behind the platform do not know the scope of a key. So when a caller with a scope asks there about their own
 * rights, the platform narrows the review: it does not pass on a question that the scope answers, and it removes from
 * an answer what the scope does not allow.
 */
export function scopedSelfReviews(environment: ScopeEnvironment, pass: Pass): Pass {
  return (exchange, onward) => {
    const scope = exchange.user.credential?.scope
    if (scope === undefined) return pass(exchange, onward)
    switch (askedFor(exchange.info)) {
      case 'selfsubjectaccessreviews':
        return accessReview(scope, exchange, onward, pass)
      case 'selfsubjectrulesreviews':
        return rulesReview(scope, exchange, onward, pass, environment)
      default:
        return pass(exchange, onward)
    }
  }
}

function askedFor(info: RequestInfo): string {
  return info.form === 'resource' && info.verb === 'create' && info.group === authorizationGroup ? info.resource : ''
}

async function accessReview(scope: KeyScope, exchange: Exchange, onward: ForwardTarget, pass: Pass): Promise<Response> {
  const { body } = exchange
  const question = objectIn(body, exchange, 'SelfSubjectAccessReview')
  const spec = objectAt(question, 'spec')
  const sent = { body, wantsJson: false }
  if (validateAttributes(spec).length > 0) return pass(exchange, onward, sent)
  const verdict = scope.grant({ ...attributesFrom(spec, exchange.user), target: onward.target })
  if (verdict.granted) return pass(exchange, onward, sent)
  const status = { allowed: false, denied: true, reason: verdict.reason }
  return valueResponse(201, { ...question, status }, negotiateText(exchange))
}

async function rulesReview(
  scope: KeyScope,
  exchange: Exchange,
  onward: ForwardTarget,
  pass: Pass,
  environment: ScopeEnvironment,
): Promise<Response> {
  const media = negotiateText(exchange)
  const { body } = exchange
  const question = objectIn(body, exchange, 'SelfSubjectRulesReview')
  const response = await pass(exchange, onward, { body, wantsJson: true })
  if (response.status !== 201) return response
  const answer = answerIn(await wholeBody(response))
  const namespace = textAt(objectAt(question, 'spec'), 'namespace')
  const rules = rulesWithin(scope.source, rulesIn(answer), namespace, environment, onward.target)
  // Nothing else of the answer is passed on: it may be nested deeper than can be written.
  return valueResponse(201, { ...question, status: statusOf(rules) }, media)
}

function answerIn(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const answer: unknown = JSON.parse(body.toString())
    if (isJsonObject(answer)) return answer
  } catch {
    // Reported below.
  }
  throw unreachable('the API behind the platform did not answer with a rules review')
}

function objectIn(body: Buffer, exchange: Exchange, kind: string): Partial<KubeObject> {
  const { value } = parseBody(body, bodyFormat(exchange), { kind }, exchange.reading)
  return asMembers(value)
}

function rulesIn(answer: Readonly<Record<string, unknown>>): RuleSet {
  const status = objectAt(answer, 'status')
  const evaluationError = textAt(status, 'evaluationError')
  return {
    resourceRules: objectsAt(status, 'resourceRules').map(resourceRuleOf),
    pathRules: objectsAt(status, 'nonResourceRules').map((rule) => ({
      verbs: textsAt(rule, 'verbs'),
      nonResourceURLs: textsAt(rule, 'nonResourceURLs'),
    })),
    incomplete: status?.incomplete === true,
    ...(evaluationError === '' ? {} : { evaluationError }),
  }
}

function resourceRuleOf(rule: Readonly<Record<string, unknown>>): ResourceRule {
  const names = textsAt(rule, 'resourceNames')
  return {
    verbs: textsAt(rule, 'verbs'),
    apiGroups: textsAt(rule, 'apiGroups'),
    resources: textsAt(rule, 'resources'),
    ...(names.length === 0 ? {} : { resourceNames: names }),
  }
}

function statusOf({ resourceRules, pathRules, incomplete, evaluationError }: RuleSet) {
  return {
    resourceRules,
    nonResourceRules: pathRules,
    incomplete,
    ...(evaluationError === undefined ? {} : { evaluationError }),
  }
}
