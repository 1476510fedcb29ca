import { managementKinds } from '../api/management/kinds.ts'
import { platformControllers } from '../platform/controllers.ts'
import { managementHooks } from '../platform/management-hooks.ts'
import type { PlatformTables } from '../platform/platform.ts'
import { platformReviews } from '../platform/reviews/reviews.ts'

export const platformTables: PlatformTables = {
  kinds: managementKinds,
  hooks: managementHooks,
  controllers: platformControllers,
  reviews: platformReviews,
}
