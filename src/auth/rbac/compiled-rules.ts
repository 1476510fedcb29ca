import type { Attributes, ResourceAttributes } from '../../api/access.ts'
import type { RbacRule } from './rule.ts'

/** A role's rules in a form that answers quickly. Built once per version of the role. */
export interface CompiledRules {
  readonly rules: readonly RbacRule[]
  // By what rules call a resource: `pods`, `pods/log`, `*` for all, and `*/log` for the log of every resource.
  readonly byResource: ReadonlyMap<string, readonly CompiledResourceRule[]>
  readonly pathRules: readonly CompiledPathRule[]
}

interface CompiledResourceRule {
  readonly verbs: Matcher
  readonly apiGroups: Matcher
  /** Undefined: any name, and no name. */
  readonly resourceNames: ReadonlySet<string> | undefined
}

interface CompiledPathRule {
  readonly verbs: Matcher
  readonly paths: Matcher
  readonly prefixes: readonly string[]
}

interface Matcher {
  readonly all: boolean
  readonly exact: ReadonlySet<string>
}

export function compileRules(rules: readonly RbacRule[]): CompiledRules {
  return {
    rules,
    byResource: compileResourceRules(rules),
    pathRules: rules.filter((each) => each.nonResourceURLs.length > 0).map(compilePathRule),
  }
}

export function allows(compiled: CompiledRules, attributes: Attributes): boolean {
  return 'path' in attributes
    ? allowsPath(compiled.pathRules, attributes.verb, attributes.path)
    : allowsResource(compiled.byResource, attributes)
}

function allowsResource(byResource: CompiledRules['byResource'], attributes: ResourceAttributes): boolean {
  const { resource, subresource } = attributes
  if (anyAllows(byResource.get('*'), attributes)) return true
  if (subresource === '') return anyAllows(byResource.get(resource), attributes)
  return (
    anyAllows(byResource.get(`${resource}/${subresource}`), attributes) ||
    anyAllows(byResource.get(`*/${subresource}`), attributes)
  )
}

function anyAllows(
  rules: readonly CompiledResourceRule[] | undefined,
  { verb, group, name }: ResourceAttributes,
): boolean {
  if (rules === undefined) return false
  for (const { verbs, apiGroups, resourceNames } of rules) {
    if (matches(verbs, verb) && matches(apiGroups, group) && (resourceNames?.has(name) ?? true)) return true
  }
  return false
}

function allowsPath(rules: readonly CompiledPathRule[], verb: string, path: string): boolean {
  for (const rule of rules) {
    if (!matches(rule.verbs, verb)) continue
    if (matches(rule.paths, path) || rule.prefixes.some((prefix) => path.startsWith(prefix))) return true
  }
  return false
}

function matches(matcher: Matcher, text: string): boolean {
  return matcher.all || matcher.exact.has(text)
}

function compileResourceRules(rules: readonly RbacRule[]): CompiledRules['byResource'] {
  const byResource = new Map<string, CompiledResourceRule[]>()
  for (const rule of rules) {
    const compiled = compileResourceRule(rule)
    for (const resource of rule.resources) {
      const known = byResource.get(resource)
      if (known === undefined) byResource.set(resource, [compiled])
      else known.push(compiled)
    }
  }
  return byResource
}

function compileResourceRule(rule: RbacRule): CompiledResourceRule {
  return {
    verbs: matcher(rule.verbs),
    apiGroups: matcher(rule.apiGroups),
    resourceNames: rule.resourceNames.length === 0 ? undefined : new Set(rule.resourceNames),
  }
}

function compilePathRule(rule: RbacRule): CompiledPathRule {
  return {
    verbs: matcher(rule.verbs),
    paths: matcher(rule.nonResourceURLs),
    prefixes: rule.nonResourceURLs.filter((each) => each.endsWith('*')).map(withoutTrailingStars),
  }
}

function matcher(texts: readonly string[]): Matcher {
  return { all: texts.includes('*'), exact: new Set(texts) }
}

/** What a path pattern such as `/healthz/*` has to begin with. */
export function withoutTrailingStars(pattern: string): string {
  let end = pattern.length
  while (end > 0 && pattern[end - 1] === '*') end--
  return pattern.slice(0, end)
}
