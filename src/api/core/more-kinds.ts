import type { Kind } from '../kind.ts'
import { componentStatus } from './component-status.ts'
import { podTemplate } from './pods/pod-template-kind.ts'
import { limitRange } from './quotas/limit-range.ts'
import { resourceQuota } from './quotas/resource-quota.ts'
import { replicationController } from './replication-controller.ts'
import { persistentVolume } from './volumes/persistent-volume.ts'
import { persistentVolumeClaim } from './volumes/persistent-volume-claim.ts'

/** Kinds of the core group that clusters serve and the platform does not. */
export function moreCoreKinds(): readonly Kind[] {
  return [
    componentStatus,
    limitRange,
    persistentVolumeClaim,
    persistentVolume,
    podTemplate,
    replicationController,
    resourceQuota,
  ]
}
