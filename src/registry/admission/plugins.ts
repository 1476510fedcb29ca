import { claimResize } from './claim-resize.ts'
import type { AdmissionPlugin } from './contract.ts'
import { defaultIngressClass, defaultStorageClass } from './default-classes.ts'
import { defaultTolerations } from './default-tolerations.ts'
import { limitRanger } from './limit-ranger/limit-ranger.ts'
import { nodeRestriction } from './node-restriction/node-restriction.ts'
import { podSecurity } from './pod-security/pod-security.ts'
import { priority } from './priority.ts'
import { priorityClasses } from './priority-classes.ts'
import { runtimeClassPlugin } from './runtime-class.ts'
import { serviceAccountPlugin } from './service-account.ts'
import { storageProtection } from './storage-protection.ts'
import { taintNewNodes } from './taint-new-nodes.ts'

/** The rules of a cluster, in the order in which Kubernetes applies them. */
export const clusterAdmission: readonly AdmissionPlugin[] = [
  limitRanger,
  serviceAccountPlugin,
  nodeRestriction,
  taintNewNodes,
  podSecurity,
  priority,
  priorityClasses,
  defaultTolerations,
  defaultStorageClass,
  runtimeClassPlugin,
  defaultIngressClass,
]

/** The rules where workload controllers run. */
export const workloadAdmission: readonly AdmissionPlugin[] = [...clusterAdmission, storageProtection]

/**
 * The rules where the cluster has storage of its own. A virtual cluster uses its host's storage, and the host's rules
 * apply to it.
 */
export const storageAdmission: readonly AdmissionPlugin[] = [...workloadAdmission, claimResize]
