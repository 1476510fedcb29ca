import { namedTexts, textsWithin } from './texts.ts'

/** Namespaces that a grant is limited to. Undefined: every namespace, all at once, and none. */
export type Namespaces = NamespacePattern | undefined

export interface NamespacePattern {
  readonly names: ReadonlySet<string>
  /** Whether objects outside namespaces are included. */
  readonly outside: boolean
}

/** The empty text in the list stands for objects outside namespaces. */
export function namespacesOf(list: readonly string[] | undefined): Namespaces {
  if (list === undefined || list.length === 0) return undefined
  return { names: namedTexts(list), outside: list.includes('') }
}

export function namespacesWithin(inner: Namespaces, outer: Namespaces): boolean {
  if (outer === undefined) return true
  if (inner === undefined) return false
  return textsWithin(inner.names, outer.names) && (outer.outside || !inner.outside)
}
