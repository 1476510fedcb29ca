import type { ObjectRegistry } from '../registry.ts'

/** What the server itself answers to: a kind of its own, or a review, which is stored nowhere. */
export interface OwnName {
  readonly group: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind?: string
  readonly shortNames?: readonly string[]
}

/** Names that no definition gets, whatever its status says. */
export function ownNames(registry: ObjectRegistry, reviews: readonly OwnName[]): readonly OwnName[] {
  const kinds = registry.contexts().map(({ kind }) => kind)
  return [...kinds.filter(({ structure }) => structure === undefined), ...reviews]
}
