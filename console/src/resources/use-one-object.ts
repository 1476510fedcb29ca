import type { KubeObject } from '../api/objects.ts'
import { isCode } from '../api/problem.ts'
import { ask } from '../api/request.ts'
import type { Fetched } from '../fetched/fetched.ts'
import { useAsked } from '../fetched/use-asked.ts'
import { useLive } from '../live/use-live.ts'

interface ObjectPaths {
  /** The list that contains only this object. */
  readonly list: string
  readonly object: string
}

const askEveryMs = 15_000

/** One object, live; empty if it does not exist. A caller that may get but not list it sees its last polled state. */
export function useOneObject<T extends KubeObject>(paths: ObjectPaths): Fetched<T> {
  const live = useLive<T>(paths.list)
  const isHidden = live.state === 'failed' && isCode(live.failure.problem, 403)
  const asked = useAsked<T>({
    queryKey: [paths.object],
    queryFn: () => ask<T>(paths.object),
    enabled: isHidden,
    refetchInterval: ({ state: { error: problem } }) => (problem === null ? askEveryMs : false),
    retry: false,
  })
  if (!isHidden) return onlyOne(live)
  return asked.state === 'failed' && isCode(asked.failure.problem, 404) ? { state: 'empty' } : asked
}

function onlyOne<T>(list: Fetched<readonly T[]>): Fetched<T> {
  switch (list.state) {
    case 'loading':
      return { state: 'loading' }
    case 'failed':
    case 'empty':
      return list
    case 'known': {
      const [value] = list.value
      return value === undefined ? { state: 'empty' } : { state: 'known', value }
    }
  }
}
