import { administratorPaths } from '../../api/administrator-paths.ts'
import type { PathRule, ResourceRule } from '../contract.ts'
import { withoutTrailingStars } from '../rbac/compiled-rules.ts'
import type { PathGrant, ResourceGrant } from './grant.ts'
import type { PathPattern } from './path-pattern.ts'
import type { ResourcePattern } from './resource-pattern.ts'
import { type Texts, wildcard } from './texts.ts'

/** The intersection of two descriptions. Not exact: there is more, which an RBAC rule cannot express. */
export interface Common<T> {
  readonly rules: readonly T[]
  readonly exact: boolean
}

/** What a rule of the owner and a grant both allow, whatever the namespace. */
export function commonResources(rule: ResourceRule, grant: ResourceGrant): Common<ResourceRule> {
  const verbs = commonTexts(rule.verbs, grant.verbs)
  const apiGroups = commonTexts(rule.apiGroups, grant.groups)
  const names = commonNames(rule.resourceNames ?? [], grant.names)
  if (verbs.length === 0 || apiGroups.length === 0 || names === 'none') return { rules: [], exact: true }
  const found = rule.resources.map((resource) => commonPatterns(resource, grant.resources))
  const resources = [...new Set(found.flatMap((each) => each.resources))]
  const limited = names.length === 0 ? {} : { resourceNames: names }
  return {
    rules: resources.length === 0 ? [] : [{ verbs, apiGroups, resources, ...limited }],
    exact: found.every((each) => each.exact),
  }
}

export function commonPaths(rule: PathRule, grant: PathGrant): readonly PathRule[] {
  const verbs = commonTexts(rule.verbs, grant.verbs)
  const common = rule.nonResourceURLs.flatMap((url) => commonUrls(url, grant.paths))
  const nonResourceURLs = common.filter((url) => !administratorPaths.has(url))
  return verbs.length === 0 || nonResourceURLs.length === 0 ? [] : [{ verbs, nonResourceURLs }]
}

function commonTexts(held: readonly string[], granted: Texts): readonly string[] {
  if (granted === undefined) return held
  return held.includes(wildcard) ? [...granted] : held.filter((each) => granted.has(each))
}

/** An empty list of names means any name. */
function commonNames(held: readonly string[], granted: Texts): readonly string[] | 'none' {
  if (granted === undefined) return held
  const names = held.length === 0 ? [...granted] : held.filter((each) => granted.has(each))
  return names.length === 0 ? 'none' : names
}

interface CommonPatterns {
  readonly resources: readonly string[]
  readonly exact: boolean
}

/**
 * The owner's rules can express `*`, `pods`, `pods/log` and `*` + `/scale`, but not all subresources of one resource.
 */
function commonPatterns(held: string, granted: ResourceGrant['resources']): CommonPatterns {
  if (granted === undefined) return { resources: [held], exact: true }
  if (held !== wildcard) return { resources: granted.flatMap((each) => commonPattern(held, each)), exact: true }
  const sayable = granted.filter(({ child }) => child !== undefined)
  return { resources: sayable.map(patternText), exact: sayable.length === granted.length }
}

function commonPattern(held: string, granted: ResourcePattern): readonly string[] {
  const slash = held.indexOf('/')
  const parent = slash < 0 ? held : held.slice(0, slash)
  const child = slash < 0 ? '' : held.slice(slash + 1)
  if (granted.child === undefined ? child === '' : granted.child !== child) return []
  if (granted.parent === undefined || granted.parent === parent) return [held]
  return parent === wildcard && slash > 0 ? [patternText({ parent: granted.parent, child })] : []
}

function patternText({ parent = wildcard, child = wildcard }: ResourcePattern): string {
  return child === '' ? parent : `${parent}/${child}`
}

/**
 * A trailing `*` in an owner's path stands for any rest, but not in an exact path of a scope, so no such path is
 * returned.
 */
function commonUrls(held: string, granted: PathGrant['paths']): readonly string[] {
  return granted === undefined ? [held] : granted.flatMap((each) => commonUrl(held, each))
}

function commonUrl(held: string, granted: PathPattern): readonly string[] {
  const isPrefix = held.endsWith('*')
  const start = withoutTrailingStars(held)
  const fits = isPrefix ? granted.path.startsWith(start) : granted.path === held
  if (granted.form === 'exact') return fits && !granted.path.endsWith('*') ? [granted.path] : []
  if (isPrefix && fits) return [`${granted.path}*`]
  return start.startsWith(granted.path) ? [held] : []
}
