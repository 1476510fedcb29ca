import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseQueryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useRef } from 'react'
import type { Failure, Fetched } from './fetched.ts'

/** The only way to request what cannot be watched. `isEmpty`: whether an answer contains nothing. */
export function useAsked<T>(options: UseQueryOptions<T>, isEmpty: (value: T) => boolean = () => false): Fetched<T> {
  return useFetched(useQuery(options), isEmpty)
}

export interface AskedPages<T> {
  readonly pages: Fetched<readonly T[]>
  readonly hasMore: boolean
  readonly isAsking: boolean
  readonly more: () => void
  readonly refresh: () => void
}

/** The same for an answer in pages. */
export function useAskedPages<T>(
  options: UseInfiniteQueryOptions<T, Error, InfiniteData<T, string>, QueryKey, string>,
): AskedPages<T> {
  const asked = useInfiniteQuery(options)
  const { hasNextPage, isFetching, fetchNextPage, refetch } = asked
  const pages = useFetched<readonly T[]>({ ...asked, data: asked.data?.pages }, () => false)
  return {
    pages,
    hasMore: hasNextPage,
    isAsking: isFetching,
    more: () => void fetchNextPage(),
    refresh: () => void refetch(),
  }
}

interface Answer<T> {
  readonly data: T | undefined
  readonly error: Error | null
  readonly errorUpdateCount: number
  readonly isPlaceholderData: boolean
  readonly refetch: () => unknown
}

function useFetched<T>(answer: Answer<T>, isEmpty: (value: T) => boolean): Fetched<T> {
  const { data, isPlaceholderData } = answer
  const failure = useFailure(answer)
  if (data === undefined) return failure === undefined ? { state: 'loading' } : { state: 'failed', failure }
  if (isPlaceholderData) return { state: 'loading', soFar: data }
  if (!isEmpty(data)) return { state: 'known', value: data, ...(failure !== undefined && { outdated: failure }) }
  return failure === undefined ? { state: 'empty' } : { state: 'failed', failure }
}

/** A failure lasts until there is an answer, or the user asks again, so that polled values do not flicker. */
function useFailure({ data, error, errorUpdateCount, refetch }: Answer<unknown>): Failure | undefined {
  const last = useRef<Error>(undefined)
  if (error !== null) last.current = error
  else if (data !== undefined || errorUpdateCount === 0) last.current = undefined
  if (last.current === undefined) return undefined
  const retry = () => {
    last.current = undefined
    void refetch()
  }
  return { problem: last.current, retry }
}
