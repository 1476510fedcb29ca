import type { Attributes, ResourceAttributes } from '../../api/access.ts'
import type { PolicyRule } from './rule.ts'

/** A role's rules in a form that answers quickly. Built once per version of the role. */
export interface CompiledRules {
  readonly rules: readonly PolicyRule[]
  readonly resourceRules: readonly CompiledResourceRule[]
  readonly pathRules: readonly CompiledPathRule[]
}

interface CompiledResourceRule {
  readonly verbs: Matcher
  readonly apiGroups: Matcher
  // `pods`, `pods/log`, and `*/log` for the log of every resource.
  readonly resources: Matcher
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

export function compileRules(rules: readonly PolicyRule[]): CompiledRules {
  return {
    rules,
    resourceRules: rules.filter((each) => each.resources.length > 0).map(compileResourceRule),
    pathRules: rules.filter((each) => each.nonResourceURLs.length > 0).map(compilePathRule),
  }
}

export function allows(compiled: CompiledRules, attributes: Attributes): boolean {
  return 'path' in attributes
    ? allowsPath(compiled.pathRules, attributes.verb, attributes.path)
    : allowsResource(compiled.resourceRules, attributes)
}

function allowsResource(rules: readonly CompiledResourceRule[], attributes: ResourceAttributes): boolean {
  const { verb, group, resource, subresource, name } = attributes
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const anyResource = subresource === '' ? undefined : `*/${subresource}`
  for (const rule of rules) {
    if (!matches(rule.verbs, verb) || !matches(rule.apiGroups, group)) continue
    if (!matches(rule.resources, whole) && (anyResource === undefined || !rule.resources.exact.has(anyResource)))
      continue
    if (rule.resourceNames === undefined || rule.resourceNames.has(name)) return true
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

function compileResourceRule(rule: PolicyRule): CompiledResourceRule {
  return {
    verbs: matcher(rule.verbs),
    apiGroups: matcher(rule.apiGroups),
    resources: matcher(rule.resources),
    resourceNames: rule.resourceNames.length === 0 ? undefined : new Set(rule.resourceNames),
  }
}

function compilePathRule(rule: PolicyRule): CompiledPathRule {
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
