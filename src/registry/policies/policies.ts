import type { CelVariables } from '../../api/cel/allowance.ts'
import { jsonCelValue } from '../../api/cel/json-value.ts'
import { type ApiError, internalError } from '../../api/error.ts'
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../api/types/admissionregistration-v1.ts'
import type { Clock } from '../../base/clock.ts'
import { paced } from '../../base/pace.ts'
import type { WriteRequest } from '../contract.ts'
import { RememberedFacts } from '../remembered-facts.ts'
import { authorizersOf } from '../webhooks/authorizers.ts'
import type { AdmissionAttributes, AskingRequest, ShownKind } from '../webhooks/contract.ts'
import { requestAttributes } from '../webhooks/review-request.ts'
import { matchRequest } from '../webhooks/webhook-match.ts'
import {
  type ConfiguredBinding,
  type ConfiguredPolicy,
  configuredBinding,
  configuredPolicy,
  type ResourceMatch,
} from './configured-policy.ts'
import { evaluatePolicy, type PolicyFinding } from './evaluate-policy.ts'
import { annotateFailure, PolicyAnnotations } from './policy-annotations.ts'
import { deniedByPolicy } from './policy-denial.ts'
import { PolicyPace } from './policy-pace.ts'
import { type ParamsParts, policyParams, type ShowParam, unknownParams } from './policy-params.ts'

const policyGroup = 'admissionregistration.k8s.io'
/** For one request: each binding is evaluated. */
const mostBindings = 100
/** For one request. */
const mostWarnings = 100

export interface PoliciesOptions extends ParamsParts {
  readonly elapsed: Clock
}

interface Bound {
  readonly policy: ConfiguredPolicy
  readonly binding: ConfiguredBinding
}

interface Judging {
  readonly request: AskingRequest
  readonly annotations: PolicyAnnotations
  readonly pace: PolicyPace
}

/** Applies the ValidatingAdmissionPolicies of a cluster to requests. */
export class Policies {
  readonly #options: PoliciesOptions
  /** Reads only changed objects again. */
  readonly #known = {
    policies: new RememberedFacts((object) => configuredPolicy(object as ValidatingAdmissionPolicy)),
    bindings: new RememberedFacts((object) => configuredBinding(object as ValidatingAdmissionPolicyBinding)),
  }
  #bound: readonly Bound[] | undefined
  #isListening = false

  constructor(options: PoliciesOptions) {
    this.#options = options
  }

  /** Whether there are any policies. Most clusters have none, and their writes should not pay for them. */
  has(): boolean {
    return this.#all().length > 0
  }

  /** Throws the error that refuses the request. */
  async validate(attributes: AdmissionAttributes, request: AskingRequest): Promise<void> {
    const pace = new PolicyPace({ user: request.user, signal: request.signal, elapsed: this.#options.elapsed })
    const { user, signal, authorize, warn, annotate } = request
    const told = { user, signal, authorize, warn: warnAtMost(mostWarnings, warn), annotate }
    const annotations = new PolicyAnnotations()
    try {
      await this.#holdAll(attributes, { request: told, annotations, pace })
    } finally {
      if (annotate) annotations.publish(annotate)
    }
  }

  async #holdAll(attributes: AdmissionAttributes, judging: Judging): Promise<void> {
    let count = 0
    let denial: ApiError | undefined
    for (const bound of this.#all()) {
      await judging.pace.step()
      const shown = this.#match(bound, attributes)
      if (shown === undefined) continue
      count += 1
      if (count > mostBindings) {
        throw internalError(`more than ${mostBindings} bindings of policies match the request: bind fewer`)
      }
      const found = await this.#hold(bound, shown, attributes, judging)
      denial ??= found
    }
    if (denial !== undefined) throw denial
  }

  #match({ policy, binding }: Bound, attributes: AdmissionAttributes): ShownKind | undefined {
    const shown = this.#matched(policy.match, attributes)
    if (shown === undefined || binding.match === undefined) return shown
    return this.#matched(binding.match, attributes) && shown
  }

  #matched({ included, excluded }: ResourceMatch, attributes: AdmissionAttributes): ShownKind | undefined {
    const shown = matchRequest(included, attributes, this.#options.engine)
    if (shown === undefined || excluded === undefined) return shown
    return matchRequest(excluded, attributes, this.#options.engine) === undefined ? shown : undefined
  }

  /** Returns the error that refuses the request. The other policies are evaluated all the same, since they may warn. */
  async #hold(
    bound: Bound,
    shown: ShownKind,
    attributes: AdmissionAttributes,
    { request, annotations, pace }: Judging,
  ): Promise<ApiError | undefined> {
    const params = await this.#paramsOf(bound, attributes, pace)
    if (typeof params === 'string') {
      if (bound.policy.failsOpen) return undefined
      const isOfPolicy = params.startsWith(unknownParams)
      const named = isOfPolicy ? `ValidatingAdmissionPolicy '${bound.policy.name}'` : nameOf(bound)
      return deniedByPolicy(`${named} denied request: ${params}`, 'Invalid', attributes)
    }
    const variables = await this.#variables(shown, attributes, request)
    let denial: ApiError | undefined
    for (const show of params) {
      const given = { ...variables, params: jsonCelValue(await show()) }
      const outcome = await paced(evaluatePolicy(bound.policy.expressions(), given), pace)
      annotations.add(bound.policy.name, outcome.annotations)
      const found = heed(outcome.findings, bound, attributes, request)
      denial ??= found
    }
    return denial
  }

  async #variables(shown: ShownKind, attributes: AdmissionAttributes, request: AskingRequest): Promise<CelVariables> {
    const { object, old, namespace } = attributes
    return {
      object: jsonCelValue(object === undefined ? null : await shown.show(object)),
      oldObject: jsonCelValue(old === undefined ? null : await shown.show(old)),
      request: jsonCelValue(requestAttributes(attributes, shown)),
      namespaceObject: jsonCelValue(this.#namespace(namespace)),
      ...authorizersOf(attributes, request),
    }
  }

  #namespace(name: string): unknown {
    if (name === '') return null
    return this.#options.engine.find('', 'Namespace')?.cache.get({ namespace: '', name })?.object ?? null
  }

  async #paramsOf(
    { policy, binding }: Bound,
    attributes: AdmissionAttributes,
    pace: PolicyPace,
  ): Promise<readonly ShowParam[] | readonly [() => null] | string> {
    const { paramKind } = policy
    const { paramRef } = binding
    if (paramKind === undefined || paramRef === undefined) return [() => null]
    return policyParams(paramKind, paramRef, attributes.namespace, this.#options, pace)
  }

  #all(): readonly Bound[] {
    const bindings = this.#options.engine.find(policyGroup, 'ValidatingAdmissionPolicyBinding')
    const policies = this.#options.engine.find(policyGroup, 'ValidatingAdmissionPolicy')
    if (bindings === undefined || policies === undefined) return []
    if (!this.#isListening) {
      this.#isListening = true
      for (const { cache } of [bindings, policies]) {
        cache.listen(() => {
          this.#bound = undefined
        })
      }
    }
    this.#bound ??= boundPolicies(
      this.#known.policies.ofAll(policies.cache),
      this.#known.bindings.ofAll(bindings.cache),
    )
    return this.#bound
  }
}

function warnAtMost(most: number, warn: WriteRequest['warn']): WriteRequest['warn'] {
  let count = 0
  return (text) => {
    count += 1
    if (count <= most) warn(text)
  }
}

function boundPolicies(
  policies: readonly ConfiguredPolicy[],
  bindings: readonly ConfiguredBinding[],
): readonly Bound[] {
  const byName = new Map(policies.map((policy) => [policy.name, policy]))
  return bindings.flatMap((binding) => {
    const policy = byName.get(binding.policyName)
    return policy === undefined ? [] : [{ policy, binding }]
  })
}

function nameOf({ policy, binding }: Bound): string {
  return `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`
}

/** The first refusal counts; the other findings become warnings and annotations. */
function heed(
  findings: readonly PolicyFinding[],
  bound: Bound,
  attributes: AdmissionAttributes,
  request: AskingRequest,
): ApiError | undefined {
  const { policy, binding } = bound
  const named = nameOf(bound)
  let denial: ApiError | undefined
  for (const finding of findings) {
    if (finding.isError && policy.failsOpen) continue
    const isTold = finding.isOfAnnotation !== true
    if (isTold && binding.actions.includes('Audit') && request.annotate) {
      annotateFailure(finding, binding, request.annotate)
    }
    if (!isTold || binding.actions.includes('Deny')) {
      denial ??= deniedByPolicy(`${named} denied request: ${finding.message}`, finding.reason, attributes)
      continue
    }
    if (binding.actions.includes('Warn')) request.warn(`Validation failed for ${named}: ${finding.message}`)
  }
  return denial
}
