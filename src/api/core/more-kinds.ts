import type { Kind } from '../kind.ts'
import { componentStatus } from './component-status.ts'
import { limitRange } from './limit-range.ts'
import { persistentVolume } from './persistent-volume.ts'
import { persistentVolumeClaim } from './persistent-volume-claim.ts'
import { podTemplate } from './pod-template-kind.ts'
import { replicationController } from './replication-controller.ts'
import { resourceQuota } from './resource-quota.ts'

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
