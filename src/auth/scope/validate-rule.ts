import {
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  tooManyField,
} from '../../api/field-error.ts'
import { validateLabel, validateSubdomain } from '../../api/names.ts'
import type { ScopeRule, ScopeRuleResources } from '../../api/types/management.ts'
import { validateOptionalName } from './entry-name.ts'
import { projectOfNamespace } from './request.ts'
import { requestTargetNames } from './rule-grants.ts'
import { wildcard } from './texts.ts'

/** Every request is compared with all of them. */
const maxTexts = 500
const maxResources = 50

export function validateRule(path: string, rule: ScopeRule): readonly FieldError[] {
  return [
    ...texts(`${path}.verbs`, rule.verbs, validateVerb),
    ...validateResources(`${path}.resources`, rule.resources ?? []),
    ...texts(`${path}.namespaces`, rule.namespaces, validateNamespace),
    ...texts(`${path}.nonResourceURLs`, rule.nonResourceURLs, validateUrl),
    ...texts(`${path}.requestTargets`, rule.requestTargets, validateRequestTarget),
    ...validateOptionalName(`${path}.cluster`, rule.cluster),
    ...validateVirtualClusters(`${path}.virtualClusters`, rule.virtualClusters ?? []),
  ]
}

function texts(
  path: string,
  list: readonly string[] | undefined,
  validate: (path: string, text: string) => readonly FieldError[],
): readonly FieldError[] {
  if (list === undefined) return []
  if (list.length > maxTexts) return [tooManyField(path, list.length, maxTexts)]
  return list.flatMap((text, index) => validate(`${path}[${index}]`, text))
}

function validateVerb(path: string, verb: string): readonly FieldError[] {
  if (verb === '') return [requiredField(path, 'a verb, or * for all')]
  return verb === wildcard || /^[a-z]+$/.test(verb)
    ? []
    : [invalidField(path, verb, 'must be lower case letters, or *')]
}

function validateResources(path: string, list: readonly ScopeRuleResources[]): readonly FieldError[] {
  if (list.length > maxResources) return [tooManyField(path, list.length, maxResources)]
  return list.flatMap((each, index) => validateKinds(`${path}[${index}]`, each))
}

function validateKinds(path: string, { group = '', resources, resourceNames }: ScopeRuleResources) {
  const names = resourceNames ?? []
  const needsResources = names.length > 0 && (resources ?? []).length === 0
  return [
    ...validateGroup(`${path}.group`, group),
    ...texts(`${path}.resources`, resources, validateResource),
    ...(needsResources ? [forbiddenField(`${path}.resourceNames`, 'needs resources that the names are of')] : []),
    ...texts(`${path}.resourceNames`, names, validateResourceName),
  ]
}

function validateGroup(path: string, group: string): readonly FieldError[] {
  if (group === '') return []
  if (group === wildcard) return [invalidField(path, group, 'leave resources of the rule empty for all groups')]
  return validateSubdomain(group).map((problem) => invalidField(path, group, problem))
}

function validateResource(path: string, resource: string): readonly FieldError[] {
  if (resource === '') return [requiredField(path, 'a resource, or * for all')]
  const isPattern = /^(?:\*|[a-z0-9]+)(?:\/(?:\*|[a-z0-9.-]+))?$/.test(resource)
  return isPattern ? [] : [invalidField(path, resource, 'must be of the form pods, pods/log, pods/*, */scale or *')]
}

function validateResourceName(path: string, name: string): readonly FieldError[] {
  if (name === '') return [requiredField(path, 'a name')]
  return name === wildcard ? [invalidField(path, name, 'leave resourceNames empty for all')] : []
}

function validateNamespace(path: string, namespace: string): readonly FieldError[] {
  if (namespace === '') return []
  if (namespace === wildcard) return [invalidField(path, namespace, 'leave namespaces empty for all')]
  return validateLabel(namespace).map((problem) => invalidField(path, namespace, problem))
}

/** Other paths never reach a scope: requests for them are refused earlier. */
function validateUrl(path: string, url: string): readonly FieldError[] {
  if (url === wildcard) return []
  if (!url.startsWith('/')) return [invalidField(path, url, 'must begin with a slash, or be *')]
  const steps = url.slice(1).split('/')
  if (steps.slice(0, -1).some((step) => step === '' || isUnclear(step)) || isUnclear(steps.at(-1) ?? '')) {
    return [invalidField(path, url, 'must not have empty steps, . or .., percent signs or backslashes')]
  }
  const hasStar = steps.some((step, index) => step.includes('*') && (step !== '*' || index < steps.length - 1))
  return hasStar ? [invalidField(path, url, 'a * is allowed only as the whole last step')] : []
}

function isUnclear(step: string): boolean {
  return step === '.' || step === '..' || /[\\%]/.test(step)
}

function validateRequestTarget(path: string, target: string): readonly FieldError[] {
  return requestTargetNames.includes(target) ? [] : [notSupportedField(path, target, requestTargetNames)]
}

function validateVirtualClusters(
  path: string,
  list: readonly { readonly name?: string; readonly namespace?: string }[],
): readonly FieldError[] {
  if (list.length > maxResources) return [tooManyField(path, list.length, maxResources)]
  return list.flatMap(({ name, namespace = '' }, index) => [
    ...validateOptionalName(`${path}[${index}].name`, name),
    ...validateProjectNamespace(`${path}[${index}].namespace`, namespace),
  ])
}

function validateProjectNamespace(path: string, namespace: string): readonly FieldError[] {
  const problems = validateOptionalName(path, namespace)
  if (problems.length > 0 || namespace === '' || projectOfNamespace(namespace) !== undefined) return problems
  return [invalidField(path, namespace, 'must be p- and the name of a project')]
}
