import { wildcard } from './texts.ts'

/** Paths that a grant is limited to. Undefined: all of them. */
export type Paths = readonly PathPattern[] | undefined

export type PathPattern =
  | { readonly form: 'exact'; readonly path: string }
  /** Everything below this path, which ends with a slash. */
  | { readonly form: 'below'; readonly path: string }

/** A `*` stands only for the whole last segment and everything below it. Elsewhere it is an ordinary character. */
export function pathPatternsOf(list: readonly string[] | undefined): Paths {
  if (list === undefined || list.length === 0 || list.includes(wildcard)) return undefined
  return list.map(patternOf)
}

function patternOf(text: string): PathPattern {
  return text.endsWith('/*') ? { form: 'below', path: text.slice(0, -1) } : { form: 'exact', path: text }
}

export function allowsPath(paths: Paths, path: string): boolean {
  return paths === undefined || paths.some((each) => matches(each, path))
}

function matches(pattern: PathPattern, path: string): boolean {
  return pattern.form === 'exact' ? pattern.path === path : path.startsWith(pattern.path)
}

export function pathsWithin(inner: Paths, outer: Paths): boolean {
  if (outer === undefined) return true
  if (inner === undefined) return false
  return inner.every((each) => outer.some((other) => patternWithin(each, other)))
}

function patternWithin(inner: PathPattern, outer: PathPattern): boolean {
  return outer.form === 'exact' ? inner.form === 'exact' && inner.path === outer.path : matches(outer, inner.path)
}
