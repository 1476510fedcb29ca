import type { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './problem.ts'
import { askTenant } from './tenant-answer.ts'

/** A path of the platform, or of a virtual cluster that is reached by it. */
export interface PlacedPath {
  /** Empty: the platform. */
  readonly place: string
  readonly path: string
}

/** How long the answer counts: a right that is given later is noticed within that time. */
export const rightsAskedEveryMs = 30_000

/**
 * Throws what a refusal would say unless the user may read the path. What is read every few seconds is asked about first:
 * otherwise each of them would be a refusal, for the page and for the audit log.
 */
export async function requireReadable(client: QueryClient, { place, path }: PlacedPath): Promise<void> {
  const isAllowed = await client.fetchQuery({
    queryKey: ['may-read', place, path],
    queryFn: () => mayRead(place, path),
    staleTime: rightsAskedEveryMs,
    retry: false,
  })
  if (!isAllowed) throw new ApiProblem(403, notForRole, 'Forbidden')
}

const notForRole =
  'Your role does not include this. It is for administrators of the virtual cluster, such as admins of its project.'

/** A key that may not even ask, or a virtual cluster that answers something else, is found out by the path itself. */
async function mayRead(place: string, path: string): Promise<boolean> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { nonResourceAttributes: { path, verb: 'get' } },
  }
  const review = `${place}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`
  return askTenant(review, isNotDenied, { method: 'POST', body }).catch(() => true)
}

function isNotDenied(review: unknown): boolean {
  return Object(Object(review).status).allowed !== false
}
