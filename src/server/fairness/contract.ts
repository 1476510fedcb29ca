/** Levels share their places internally; see `levels.ts`. */
export type LevelName = 'health' | 'administrators' | 'links' | 'callers' | 'proxied' | 'relayed' | 'strangers'

/**
 * Determines whose turn a request takes: owners take turns within a level, and the keys of an owner within its turns.
 */
export interface RequestFlow {
  readonly level: LevelName
  readonly owner: string
  readonly key: string
}
