import type { RuleWithOperations } from '../../api/types/admissionregistration-v1.ts'
import type { GroupVersionResource, Operation } from './contract.ts'

/** What rules match. */
export interface RuleSubject extends GroupVersionResource {
  readonly operation: Operation
  readonly subresource: string
  readonly namespace: string
}

export function matchesRule(rule: RuleWithOperations, subject: RuleSubject): boolean {
  return (
    matchesScope(rule.scope ?? '*', subject) &&
    namesOrStar(rule.operations, subject.operation) &&
    namesOrStar(rule.apiGroups, subject.group) &&
    namesOrStar(rule.apiVersions, subject.version) &&
    (rule.resources ?? []).some((resource) => matchesResource(resource, subject))
  )
}

function namesOrStar(names: readonly string[] = [], name: string): boolean {
  return names.includes('*') || names.includes(name)
}

/** A namespace is cluster-scoped, although requests for it name one. */
function matchesScope(scope: string, { group, resource, namespace }: RuleSubject): boolean {
  if (scope === '*') return true
  const isNamespaced = namespace !== '' && !(group === '' && resource === 'namespaces')
  return isNamespaced === (scope === 'Namespaced')
}

/** `pods` matches only Pods, `pods/*` Pods and their subresources, and `*\/*` everything. */
function matchesResource(wanted: string, { resource, subresource }: RuleSubject): boolean {
  const [wantedResource = '', wantedSubresource = ''] = wanted.split('/', 2)
  const isResource = wantedResource === '*' || wantedResource === resource
  return isResource && (wantedSubresource === '*' || wantedSubresource === subresource)
}
