import { wildcard } from './texts.ts'

/** Resources that a grant is limited to. Undefined: all of them, with all that is below them. */
export type Resources = readonly ResourcePattern[] | undefined

export interface ResourcePattern {
  /** Undefined: of every resource. */
  readonly parent: string | undefined
  /** The subresource; empty for the object itself, undefined for everything below it but not the object itself. */
  readonly child: string | undefined
}

/** `pods`, `pods/log`, `pods/*` (what is below pods, not pods), `*` + `/scale`, and `*` for everything. */
export function resourcesOf(list: readonly string[] | undefined): Resources {
  if (list === undefined || list.length === 0 || list.includes(wildcard)) return undefined
  return list.flatMap(patternsOf)
}

/** A text that lacks a part names nothing. */
function patternsOf(text: string): readonly ResourcePattern[] {
  const slash = text.indexOf('/')
  const [parent, child] = slash < 0 ? [text, undefined] : [text.slice(0, slash), text.slice(slash + 1)]
  if (parent === '' || child === '') return []
  return [child === undefined ? { parent, child: '' } : { parent: textOrAll(parent), child: textOrAll(child) }]
}

function textOrAll(text: string): string | undefined {
  return text === wildcard ? undefined : text
}

/** The object and everything below it. */
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

/** What was found by its text is compared all the same: no text may stand for another pattern. */
function isWithinKnown(inner: ResourcePattern, outer: ResourcePattern | undefined): boolean {
  return outer !== undefined && patternWithin(inner, outer)
}

/** More are looked up, which takes as long as there are patterns and not pairs of them. */
const fewPairs = 100

/** Of each pattern that this one is within. */
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
