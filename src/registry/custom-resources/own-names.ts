import type { ObjectRegistry } from '../registry.ts'

/** A name that the server itself serves: a builtin kind, or a review, which is not stored. */
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
  return [...registry.ownKinds(), ...reviews]
}
