import type { RuleWithOperations } from '../../api/types/admissionregistration-v1.ts'
import type { GroupVersionResource, Operation } from './contract.ts'

/** What rules match. */
export interface RuleSubject extends GroupVersionResource {
  readonly operation: Operation
  readonly subresource: string
  readonly namespace: string
}

/** Rules of a webhook or a policy, in order. Finds those about a resource without looking at the others. */
export class RuleTable {
  readonly #byResource = new Map<string, IndexedRule[]>()

  constructor(rules: readonly RuleWithOperations[]) {
    rules.forEach((rule, position) => {
      const indexed = indexedRule(rule, position)
      for (const resource of new Set((rule.resources ?? []).map(completeName))) this.#add(resource, indexed)
    })
  }

  matches(subject: RuleSubject): boolean {
    return this.positionOf(subject) !== undefined
  }

  /** Of the first rule that matches. */
  positionOf(subject: RuleSubject): number | undefined {
    let first: number | undefined
    for (const name of namesOf(subject)) {
      const position = this.#byResource.get(name)?.find((rule) => matchesRule(rule, subject))?.position
      if (position !== undefined && (first === undefined || position < first)) first = position
    }
    return first
  }

  #add(resource: string, rule: IndexedRule): void {
    const known = this.#byResource.get(resource)
    if (known === undefined) this.#byResource.set(resource, [rule])
    else known.push(rule)
  }
}

interface IndexedRule {
  readonly position: number
  readonly scope: string
  readonly isOperation: (name: string) => boolean
  readonly isGroup: (name: string) => boolean
  readonly isVersion: (name: string) => boolean
}

function indexedRule(
  { scope = '*', operations, apiGroups, apiVersions }: RuleWithOperations,
  position: number,
): IndexedRule {
  const [isOperation, isGroup, isVersion] = [operations, apiGroups, apiVersions].map(nameTest) as NameTests
  return { position, scope, isOperation, isGroup, isVersion }
}

type NameTest = (name: string) => boolean
type NameTests = [NameTest, NameTest, NameTest]

/** Above it, a set is faster than a list. */
const mostInList = 16

function nameTest(names: readonly string[] = []): NameTest {
  if (names.includes('*')) return () => true
  if (names.length <= mostInList) return (name) => names.includes(name)
  const set = new Set(names)
  return (name) => set.has(name)
}

function matchesRule(rule: IndexedRule, subject: RuleSubject): boolean {
  const { operation, group, version } = subject
  return (
    matchesScope(rule.scope, subject) && rule.isOperation(operation) && rule.isGroup(group) && rule.isVersion(version)
  )
}

/** `pods` means only Pods, `pods/*` Pods and their subresources, and `*\/*` everything. */
function completeName(resource: string): string {
  const [name = '', subresource = ''] = resource.split('/', 2)
  return `${name}/${subresource}`
}

/** All names in rules that mean the resource. */
function namesOf({ resource, subresource }: RuleSubject): readonly string[] {
  return [`${resource}/${subresource}`, `*/${subresource}`, `${resource}/*`, '*/*']
}

/** A namespace is cluster-scoped, although requests for it name one. */
function matchesScope(scope: string, { group, resource, namespace }: RuleSubject): boolean {
  if (scope === '*') return true
  const isNamespaced = namespace !== '' && !(group === '' && resource === 'namespaces')
  return isNamespaced === (scope === 'Namespaced')
}
