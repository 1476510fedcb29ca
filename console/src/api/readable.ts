import type { QueryClient } from '@tanstack/react-query'
import { reviewAccess, rightsAskedEveryMs } from './access-review.ts'
import { ApiProblem } from './problem.ts'

/** A path of the platform, or of a virtual cluster that is reached by it. */
export interface PlacedPath {
  /** Empty: the platform. */
  readonly place: string
  readonly path: string
}

/**
 * Throws what a refusal would say unless the user may read the path. What is read every few seconds is asked about first:
 * otherwise each of them would be a refusal, for the page and for the audit log.
 */
export async function requireReadable(client: QueryClient, { place, path }: PlacedPath): Promise<void> {
  const { isAllowed } = await client.fetchQuery({
    queryKey: ['may-read', place, path],
    queryFn: () => reviewAccess(place, { nonResourceAttributes: { path, verb: 'get' } }),
    staleTime: rightsAskedEveryMs,
    retry: false,
  })
  if (!isAllowed) throw new ApiProblem(403, notForRole, 'Forbidden')
}

const notForRole =
  'Your role does not include this. It is for administrators of the virtual cluster, such as admins of its project.'
