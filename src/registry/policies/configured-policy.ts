import { compileStoredPolicy, type PolicyExpressions } from '../../api/admissionregistration/policy-expressions.ts'
import { narrowingSelector } from '../../api/selectors/label-selector-object.ts'
import type {
  MatchResources,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../api/types/admissionregistration-v1.ts'
import { lazily } from '../../base/lazily.ts'
import { RuleTable } from '../webhooks/rule-match.ts'
import type { RequestMatch } from '../webhooks/webhook-match.ts'

/** A policy, ready to be evaluated. */
export interface ConfiguredPolicy {
  readonly name: string
  readonly match: ResourceMatch
  readonly failsOpen: boolean
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined
  /** Compiled on first use. */
  readonly expressions: () => PolicyExpressions
}

/** Which requests match. */
export interface ResourceMatch {
  readonly included: RequestMatch
  /** Absent: no request is excluded. */
  readonly excluded: RequestMatch | undefined
}

export interface ConfiguredBinding {
  readonly name: string
  readonly policyName: string
  readonly actions: readonly string[]
  /** Absent: all requests that match the policy. */
  readonly match: ResourceMatch | undefined
  readonly paramRef: ValidatingAdmissionPolicyBinding['spec']['paramRef']
}

export function configuredPolicy({ metadata, spec }: ValidatingAdmissionPolicy): ConfiguredPolicy {
  const { paramKind } = spec
  return {
    name: metadata.name ?? '',
    match: resourceMatch(spec.matchConstraints ?? {}),
    failsOpen: spec.failurePolicy === 'Ignore',
    paramKind: paramKind && { apiVersion: paramKind.apiVersion ?? '', kind: paramKind.kind ?? '' },
    expressions: lazily(() => compileStoredPolicy(spec)),
  }
}

export function configuredBinding({ metadata, spec }: ValidatingAdmissionPolicyBinding): ConfiguredBinding {
  return {
    name: metadata.name ?? '',
    policyName: spec.policyName ?? '',
    actions: spec.validationActions ?? [],
    match: spec.matchResources && resourceMatch(spec.matchResources, true),
    paramRef: spec.paramRef,
  }
}

const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }]

/** For a binding without rules, only the selectors count. */
function resourceMatch(resources: MatchResources, isBinding = false): ResourceMatch {
  const { resourceRules = [], excludeResourceRules = [], matchPolicy } = resources
  const shared = {
    matchesEquivalents: matchPolicy !== 'Exact',
    namespaces: narrowingSelector(resources.namespaceSelector),
    objects: narrowingSelector(resources.objectSelector),
  }
  const rules = isBinding && resourceRules.length === 0 ? everything : resourceRules
  return {
    included: { ...shared, rules: new RuleTable(rules) },
    excluded:
      excludeResourceRules.length === 0
        ? undefined
        : { ...shared, namespaces: undefined, objects: undefined, rules: new RuleTable(excludeResourceRules) },
  }
}
