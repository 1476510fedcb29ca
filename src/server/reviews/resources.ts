import type { ReviewDependencies, ReviewResource } from './contract.ts'
import { localSubjectAccessReview } from './local-subject-access-review.ts'
import { selfSubjectAccessReview } from './self-subject-access-review.ts'
import { selfSubjectReview } from './self-subject-review.ts'
import { selfSubjectRulesReview } from './self-subject-rules-review.ts'
import { subjectAccessReview } from './subject-access-review.ts'
import { tokenRequest } from './token-request.ts'
import { tokenReview } from './token-review.ts'

/** Every review that the server answers, in the order of discovery. */
export function reviewResources(dependencies: ReviewDependencies): readonly ReviewResource[] {
  return [
    selfSubjectReview(dependencies),
    tokenReview(dependencies),
    localSubjectAccessReview(dependencies),
    selfSubjectAccessReview(dependencies),
    selfSubjectRulesReview(dependencies),
    subjectAccessReview(dependencies),
    tokenRequest(dependencies),
  ]
}
