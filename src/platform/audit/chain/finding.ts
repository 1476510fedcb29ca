/** A position in a log. */
export interface LinePlace {
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  readonly offset: number
}

export type ChainProblem = 'missing' | 'changed' | 'reordered' | 'inserted' | 'cut' | 'replaced'

/** Findings that are legitimate but worth knowing. */
export type ChainNote = 'begins-later' | 'torn' | 'unchained'

export interface ChainFinding {
  readonly kind: ChainProblem | ChainNote
  readonly place: LinePlace
  readonly message: string
}

const notes: ReadonlySet<string> = new Set<ChainNote>(['begins-later', 'torn', 'unchained'])

export function isProblem({ kind }: ChainFinding): boolean {
  return !notes.has(kind)
}
