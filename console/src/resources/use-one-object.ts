import { useQuery } from '@tanstack/react-query'
import type { KubeObject } from '../api/objects.ts'
import { isCode } from '../api/problem.ts'
import { ask } from '../api/request.ts'
import { useLiveObject } from '../live/use-live.ts'

interface OneObject<T> {
  readonly object: T | undefined
  readonly isLoaded: boolean
  /** Why it cannot be shown. */
  readonly problem: unknown
}

interface ObjectPaths {
  /** The list that has only this object. */
  readonly list: string
  readonly object: string
}

const askEveryMs = 15_000

/** One object, live. Whoever may get it but not list it is shown it as it was a moment ago. */
export function useOneObject<T extends KubeObject>(paths: ObjectPaths): OneObject<T> {
  const { object, isLoaded, state } = useLiveObject<T>(paths.list)
  const refusal = state.phase === 'refused' ? state.problem : undefined
  const { data, error } = useQuery({
    queryKey: [paths.object],
    queryFn: () => ask<T>(paths.object),
    enabled: isCode(refusal, 403),
    refetchInterval: ({ state: { error: problem } }) => (problem === null ? askEveryMs : false),
    retry: false,
  })
  if (!isCode(refusal, 403)) return { object, isLoaded, problem: refusal }
  return { object: data, isLoaded: data !== undefined, problem: data === undefined ? (error ?? undefined) : undefined }
}
