import { wildcard } from './texts.ts'

/** Resources that a grant is limited to. Undefined: all resources with all their subresources. */
export type Resources = readonly ResourcePattern[] | undefined

export interface ResourcePattern {
  /** Undefined: every resource. */
  readonly parent: string | undefined
  /** The subresource; empty for the object itself, undefined for every subresource but not the object itself. */
  readonly child: string | undefined
}

/** `pods`, `pods/log`, `pods/*` (subresources of pods, but not pods), `*` + `/scale`, and `*` for everything. */
export function resourcesOf(list: readonly string[] | undefined): Resources {
  if (list === undefined || list.length === 0 || list.includes(wildcard)) return undefined
  return list.flatMap(patternsOf)
}

/** A text with a missing part matches nothing. */
function patternsOf(text: string): readonly ResourcePattern[] {
  const slash = text.indexOf('/')
  const [parent, child] = slash < 0 ? [text, undefined] : [text.slice(0, slash), text.slice(slash + 1)]
  if (parent === '' || child === '') return []
  return [child === undefined ? { parent, child: '' } : { parent: textOrAll(parent), child: textOrAll(child) }]
}

function textOrAll(text: string): string | undefined {
  return text === wildcard ? undefined : text
}

/** The object and all its subresources. */
export function wholeResource(resource: string): readonly ResourcePattern[] {
  return [
    { parent: resource, child: '' },
    { parent: resource, child: undefined },
  ]
}

export function allowsResource(resources: Resources, resource: string, subresource: string): boolean {
  return resources === undefined || resources.some((each) => matches(each, resource, subresource))
}

function matches({ parent, child }: ResourcePattern, resource: string, subresource: string): boolean {
  return (
    (parent === undefined || parent === resource) && (child === undefined ? subresource !== '' : child === subresource)
  )
}

export function resourcesWithin(inner: Resources, outer: Resources): boolean {
  if (outer === undefined) return true
  if (inner === undefined) return false
  if (inner.length * outer.length <= fewPairs) {
    return inner.every((each) => outer.some((other) => patternWithin(each, other)))
  }
  const known = new Map(outer.map((each) => [keyOf(each.parent, each.child), each]))
  return inner.every((each) => widerKeys(each).some((key) => isWithinKnown(each, known.get(key))))
}

/** A match by text is still compared exactly: no text may stand for another pattern. */
function isWithinKnown(inner: ResourcePattern, outer: ResourcePattern | undefined): boolean {
  return outer !== undefined && patternWithin(inner, outer)
}

/** Above this number, patterns are looked up, which takes time in proportion to the patterns, not to their pairs. */
const fewPairs = 100

/** The keys of every pattern that contains this one. */
function widerKeys({ parent, child }: ResourcePattern): readonly string[] {
  const same = [keyOf(parent, child), keyOf(undefined, child)]
  return child === '' ? same : [...same, keyOf(parent, undefined), keyOf(undefined, undefined)]
}

function keyOf(parent: string | undefined, child: string | undefined): string {
  return `${parent ?? ''}\n${child ?? '*'}`
}

function patternWithin(inner: ResourcePattern, outer: ResourcePattern): boolean {
  const parentFits = outer.parent === undefined || outer.parent === inner.parent
  const childFits = outer.child === undefined ? inner.child !== '' : outer.child === inner.child
  return parentFits && childFits
}
