/**
 * The place of a patch. A path is parsed once, when the configuration is read, and is plain data from then on. An
 * `index` also matches the member of that name in an object.
 */
export type PatchPathElement =
  | { readonly type: 'member'; readonly name: string }
  | { readonly type: 'index'; readonly index: number }
  | { readonly type: 'wildcard' }

export type Path = readonly PatchPathElement[]

/** One place in one object: member names and array positions. */
export type ConcretePath = readonly (string | number)[]

export interface PathProblem {
  /** The offset in the text, in UTF-16 units from 0; the length of the text if something is missing at its end. */
  readonly offset: number
  readonly message: string
}

export type ParsedPath =
  | { readonly ok: true; readonly path: Path }
  | { readonly ok: false; readonly problem: PathProblem }
