import type { ReviewDependencies, ReviewResource } from './contract.ts'
import { localSubjectAccessReview } from './local-subject-access-review.ts'
import { selfSubjectAccessReview } from './self-subject-access-review.ts'
import { selfSubjectReview } from './self-subject-review.ts'
import { selfSubjectRulesReview } from './self-subject-rules-review.ts'
import { subjectAccessReview } from './subject-access-review.ts'
import { tokenRequest } from './token-request.ts'
import { tokenReview } from './token-review.ts'

export type MakeReview = (dependencies: ReviewDependencies) => ReviewResource

/** Every review that Kubernetes answers, in the order of discovery. */
export const reviewsOfKubernetes: readonly MakeReview[] = [
  selfSubjectReview,
  tokenReview,
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  tokenRequest,
]
