import type { AdmissionPlugin } from './contract.ts'
import { defaultTolerations } from './default-tolerations.ts'
import { limitRanger } from './limit-ranger/limit-ranger.ts'
import { podSecurity } from './pod-security/pod-security.ts'
import { priority } from './priority.ts'
import { runtimeClassPlugin } from './runtime-class.ts'
import { serviceAccountPlugin } from './service-account.ts'
import { taintNewNodes } from './taint-new-nodes.ts'

/** The rules of a cluster, in the order in which Kubernetes applies its own. */
export const clusterAdmission: readonly AdmissionPlugin[] = [
  limitRanger,
  serviceAccountPlugin,
  taintNewNodes,
  podSecurity,
  priority,
  defaultTolerations,
  runtimeClassPlugin,
]
