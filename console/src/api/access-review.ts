import { askTenant } from './tenant-answer.ts'

/** The access in question, in the form of a SelfSubjectAccessReview. */
export type ReviewedAccess =
  | { readonly nonResourceAttributes: Readonly<Record<string, string>> }
  | { readonly resourceAttributes: Readonly<Record<string, string>> }

export type Access = { readonly isAllowed: true } | { readonly isAllowed: false; readonly reason: string }

/** How long an answer is cached: a right that is granted later is noticed within this time. */
export const rightsAskedEveryMs = 30_000

const longestReason = 500

/**
 * Whether the user has the right, on the platform or in a virtual cluster at the place. If the key may not even ask, or
 * a virtual cluster answers something else, the actual request will show.
 */
export function reviewAccess(place: string, spec: ReviewedAccess): Promise<Access> {
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec }
  const path = `${place}/apis/authorization.k8s.io/v1/selfsubjectaccessreviews`
  return askTenant(path, accessIn, { method: 'POST', body }).catch(() => ({ isAllowed: true }))
}

function accessIn(review: unknown): Access {
  const { allowed, reason } = Object(Object(review).status)
  if (allowed !== false) return { isAllowed: true }
  return { isAllowed: false, reason: typeof reason === 'string' ? reason.slice(0, longestReason) : '' }
}
