import type { QueryClient } from '@tanstack/react-query'
import { reviewAccess, rightsAskedEveryMs } from './access-review.ts'
import { ApiProblem } from './problem.ts'

/** A path of the platform, or of a virtual cluster that is reached through it. */
export interface PlacedPath {
  /** Empty: the platform. */
  readonly place: string
  readonly path: string
}

/**
 * Throws the refusal's message unless the user may read the path. Called before paths that are polled: otherwise every
 * poll would be a refusal, on the page and in the audit log.
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
