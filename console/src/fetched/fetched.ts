/** Why something is not known, and how to ask again. */
export interface Failure {
  readonly problem: unknown
  readonly retry: () => void
}

/**
 * The result of a request to the platform. Pages get nothing else, so that none confuses "not yet", "could not be read"
 * and "there is none".
 */
export type Fetched<T> =
  /** `soFar`: the part that has arrived, or the result of the previous question. */
  | { readonly state: 'loading'; readonly soFar?: T }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'empty' }
  /** `outdated`: the last attempt to read it again failed. */
  | { readonly state: 'known'; readonly value: T; readonly outdated?: Failure }

/** For items that are already known. */
export function listed<T>(items: readonly T[]): Fetched<readonly T[]> {
  return items.length === 0 ? { state: 'empty' } : { state: 'known', value: items }
}

/** Derives a list from a result; the list may be empty although the result was not. */
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

/** The items to count or pick from. They do not show what is missing, so the state must be shown beside them. */
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
