import type { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './problem.ts'
import { ask } from './request.ts'

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

interface AccessReview {
  readonly status?: { readonly allowed?: boolean }
}

/** A key that may not even ask finds out by the path itself. */
async function mayRead(place: string, path: string): Promise<boolean> {
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { nonResourceAttributes: { path, verb: 'get' } },
  }
  const review = `${place}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`
  try {
    const { status } = await ask<AccessReview>(review, { method: 'POST', body })
    return status?.allowed !== false
  } catch (error) {
    if (error instanceof ApiProblem) return true
    throw error
  }
}
