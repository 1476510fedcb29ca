import { type AuthorizerQuestion, authorizerValue } from '../../api/cel/authorizer.ts'
import { jsonCelValue } from '../../api/cel/json-value.ts'
import { ApiError, internalError } from '../../api/error.ts'
import { qualifiedResource } from '../../api/kind.ts'
import { type KubeObject, parseApiVersion } from '../../api/object.ts'
import { labelSelectorFrom } from '../../api/selectors/label-selector-object.ts'
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../api/types/admissionregistration-v1.ts'
import { Pace } from '../../base/pace.ts'
import type { CelOpaque } from '../../cel/value.ts'
import type { Engine } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import type { AdmissionAttributes, ShownKind } from '../webhooks/contract.ts'
import { requestAttributes } from '../webhooks/review-request.ts'
import { matchRequest } from '../webhooks/webhook-match.ts'
import {
  type ConfiguredBinding,
  type ConfiguredPolicy,
  configuredBinding,
  configuredPolicy,
  type ResourceMatch,
} from './configured-policy.ts'
import { evaluatePolicy, type PolicyFinding, type PolicyVariables } from './evaluate-policy.ts'

const group = 'admissionregistration.k8s.io'
/** About one request: each is evaluated. */
const mostBindings = 100
/** Of one binding: the policy is evaluated with each. */
const mostParams = 100

interface Bound {
  readonly policy: ConfiguredPolicy
  readonly binding: ConfiguredBinding
}

/** What the ValidatingAdmissionPolicies of a cluster say to a request. */
export class Policies {
  readonly #engine: Engine
  #bound: readonly Bound[] | undefined
  #isListening = false

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Whether there is any. Most clusters have none, and writes to them should not cost more for it. */
  has(): boolean {
    return this.#all().length > 0
  }

  /** Throws what refuses the request. */
  async validate(attributes: AdmissionAttributes, request: WriteRequest): Promise<void> {
    const pace = new Pace()
    let count = 0
    for (const bound of this.#all()) {
      await pace.step()
      const shown = this.#match(bound, attributes)
      if (shown === undefined) continue
      count += 1
      if (count > mostBindings) {
        throw internalError(`more than ${mostBindings} bindings of policies match the request: bind fewer`)
      }
      await this.#hold(bound, shown, attributes, request, pace)
    }
  }

  #match({ policy, binding }: Bound, attributes: AdmissionAttributes): ShownKind | undefined {
    const shown = this.#matched(policy.match, attributes)
    if (shown === undefined || binding.match === undefined) return shown
    return this.#matched(binding.match, attributes) && shown
  }

  #matched({ included, excluded }: ResourceMatch, attributes: AdmissionAttributes): ShownKind | undefined {
    const shown = matchRequest(included, attributes, this.#engine)
    if (shown === undefined || excluded === undefined) return shown
    return matchRequest(excluded, attributes, this.#engine) === undefined ? shown : undefined
  }

  async #hold(
    bound: Bound,
    shown: ShownKind,
    attributes: AdmissionAttributes,
    request: WriteRequest,
    pace: Pace,
  ): Promise<void> {
    const params = this.#paramsOf(bound, attributes)
    if (typeof params === 'string') {
      if (bound.policy.failsOpen) return
      throw deniedByPolicy(`${nameOf(bound)} denied request: ${params}`, 'Invalid', attributes)
    }
    const variables = await this.#variables(shown, attributes, request)
    for (const each of params) {
      const findings = evaluatePolicy(bound.policy.expressions(), { ...variables, params: jsonCelValue(each) })
      heed(findings, bound, attributes, request)
      await pace.step()
    }
  }

  async #variables(shown: ShownKind, attributes: AdmissionAttributes, request: WriteRequest): Promise<PolicyVariables> {
    const { object, old, namespace } = attributes
    return {
      object: jsonCelValue(object === undefined ? null : await shown.show(object)),
      oldObject: jsonCelValue(old === undefined ? null : await shown.show(old)),
      request: jsonCelValue(requestAttributes(attributes, shown)),
      namespaceObject: jsonCelValue(this.#namespace(namespace)),
      authorizer: authorizerOf(request),
    }
  }

  #namespace(name: string): unknown {
    if (name === '') return null
    return this.#engine.find('', 'Namespace')?.cache.get({ namespace: '', name })?.object ?? null
  }

  /** The objects that the policy is evaluated with, or what is wrong with them. */
  #paramsOf({ policy, binding }: Bound, attributes: AdmissionAttributes): readonly unknown[] | string {
    const { paramKind } = policy
    const { paramRef } = binding
    if (paramKind === undefined || paramRef === undefined) return [null]
    const { group: paramGroup } = parseApiVersion(paramKind.apiVersion)
    const context = this.#engine.find(paramGroup, paramKind.kind)
    if (context === undefined)
      return `failed to find resource referenced by paramKind: '${paramKind.apiVersion}, Kind=${paramKind.kind}'`
    const namespace = context.kind.namespaced ? (paramRef.namespace ?? attributes.namespace) : ''
    const found: KubeObject[] = []
    if (paramRef.name !== undefined) {
      const only = context.cache.get({ namespace, name: paramRef.name })?.object
      if (only !== undefined) found.push(only)
    } else {
      const selector = labelSelectorFrom(paramRef.selector)
      for (const document of context.cache.current().values()) {
        const isThere = (document.object.metadata.namespace ?? '') === namespace
        if (isThere && selector.matches(document.labels ?? {})) found.push(document.object)
        if (found.length > mostParams) return `more than ${mostParams} params are selected`
      }
    }
    if (found.length > 0) return found
    if (paramRef.parameterNotFoundAction === 'Allow') return []
    return 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction'
  }

  #all(): readonly Bound[] {
    const bindings = this.#engine.find(group, 'ValidatingAdmissionPolicyBinding')
    const policies = this.#engine.find(group, 'ValidatingAdmissionPolicy')
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
      [...policies.cache.current().values()].map(({ object }) => configuredPolicy(object as ValidatingAdmissionPolicy)),
      [...bindings.cache.current().values()].map(({ object }) =>
        configuredBinding(object as ValidatingAdmissionPolicyBinding),
      ),
    )
    return this.#bound
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

/** The first that refuses does; the others are told of in their own way. */
function heed(
  findings: readonly PolicyFinding[],
  bound: Bound,
  attributes: AdmissionAttributes,
  request: WriteRequest,
): void {
  const { policy, binding } = bound
  const named = nameOf(bound)
  for (const finding of findings) {
    if (finding.isError && policy.failsOpen) continue
    if (binding.actions.includes('Deny')) {
      throw deniedByPolicy(`${named} denied request: ${finding.message}`, finding.reason, attributes)
    }
    if (binding.actions.includes('Warn')) request.warn(`Validation failed for ${named}: ${finding.message}`)
  }
}

const codes: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413 }

function deniedByPolicy(message: string, reason: string, { sent, name }: AdmissionAttributes): ApiError {
  const { group, resource } = sent.resource
  const what = qualifiedResource({ plural: resource, group })
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${what} ${JSON.stringify(name)} is forbidden: ${message}`,
    reason,
    details: { name, ...(group !== '' && { group }), kind: resource, causes: [{ message }] },
    code: codes[reason] ?? 422,
  })
}

/** Answered at once, or not at all: an expression does not wait. */
function authorizerOf({ authorize, user }: WriteRequest): CelOpaque {
  return authorizerValue((question) => {
    const asked = question.serviceAccount === '' ? user : accountOf(question)
    if (question.path !== '') return { isAllowed: false, reason: 'paths cannot be asked about' }
    const { verb, group, resource, subresource, namespace, name } = question
    const decision = authorize({ user: asked, verb, group, version: '*', resource, subresource, namespace, name })
    if (decision instanceof Promise) return { isAllowed: false, reason: 'it takes too long to find out' }
    return { isAllowed: decision.verdict === 'allow', reason: decision.reason ?? '' }
  })
}

function accountOf({ serviceAccount }: AuthorizerQuestion): WriteRequest['user'] {
  const [namespace = ''] = serviceAccount.split(':')
  return {
    name: `system:serviceaccount:${serviceAccount}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  }
}
