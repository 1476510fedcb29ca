/** Why something is not known, and how to ask for it once more. */
export interface Failure {
  readonly problem: unknown
  readonly retry: () => void
}

/**
 * What was asked of the platform. Pages get nothing else, so that none of them takes "not yet", "could not be read" and
 * "there is none" for one another.
 */
export type Fetched<T> =
  /** `soFar`: what is there of it already, or what there was for the question before. */
  | { readonly state: 'loading'; readonly soFar?: T }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'empty' }
  /** `outdated`: the last attempt to read it again has failed. */
  | { readonly state: 'known'; readonly value: T; readonly outdated?: Failure }

/** What needs no asking. */
export function listed<T>(items: readonly T[]): Fetched<readonly T[]> {
  return items.length === 0 ? { state: 'empty' } : { state: 'known', value: items }
}

/** The same of something made from it, which may be empty where that was not. */
export function listFrom<From, To>(
  fetched: Fetched<From>,
  change: (value: From) => readonly To[],
): Fetched<readonly To[]> {
  switch (fetched.state) {
    case 'loading':
      return fetched.soFar === undefined ? { state: 'loading' } : { state: 'loading', soFar: change(fetched.soFar) }
    case 'failed':
    case 'empty':
      return fetched
    case 'known': {
      const { value, ...rest } = fetched
      const items = change(value)
      return items.length === 0 ? { state: 'empty' } : { ...rest, value: items }
    }
  }
}

/** Several lists as one: known when all are, failed when one has. */
export function allListed<T>(...lists: readonly Fetched<readonly T[]>[]): Fetched<readonly T[]> {
  const items = lists.flatMap(itemsOf)
  const failed = lists.find(({ state }) => state === 'failed')
  if (failed !== undefined) return failed
  return lists.some(({ state }) => state === 'loading') ? { state: 'loading', soFar: items } : listed(items)
}

/** What is there to be counted or picked. It says nothing of what is missing: its state has to be shown beside it. */
export function itemsOf<T>(fetched: Fetched<readonly T[]>): readonly T[] {
  switch (fetched.state) {
    case 'loading':
      return fetched.soFar ?? []
    case 'known':
      return fetched.value
    case 'failed':
    case 'empty':
      return []
  }
}
