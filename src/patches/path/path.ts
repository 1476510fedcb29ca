/**
 * Where a patch works. A path is parsed once, when the configuration is read, and is plain data from then on.
 * An `index` also reaches the member of that name where an object stands instead of an array.
 */
export type PatchPathElement =
  | { readonly type: 'member'; readonly name: string }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'wildcard' }

export type Path = readonly PatchPathElement[]

/** One place in one object: a member's name under an object, a position in an array. */
export type ConcretePath = readonly (string | number)[]

export interface PathProblem {
  /** Where in the text, counted in UTF-16 units from 0; the length of the text if something is missing at its end. */
  readonly offset: number
  readonly message: string
}

export type ParsedPath =
  | { readonly ok: true; readonly path: Path }
  | { readonly ok: false; readonly problem: PathProblem }
