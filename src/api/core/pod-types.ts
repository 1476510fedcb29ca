import type { KubeObject } from '../object.ts'
import type { LocalObjectReference } from './references.ts'

/** Pods are kept as data here: what is named is what defaulting, validation and printing look at. */
export interface Pod extends KubeObject {
  readonly spec: PodSpec
  readonly status: PodStatus
}

export interface PodSpec {
  readonly volumes?: readonly Volume[]
  readonly initContainers?: readonly Container[]
  readonly containers: readonly Container[] | null
  readonly ephemeralContainers?: readonly Container[]
  readonly restartPolicy?: string
  readonly terminationGracePeriodSeconds?: number
  readonly activeDeadlineSeconds?: number
  readonly dnsPolicy?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly serviceAccountName?: string
  readonly serviceAccount?: string
  readonly nodeName?: string
  readonly hostNetwork?: boolean
  readonly securityContext?: Readonly<Record<string, unknown>>
  readonly imagePullSecrets?: readonly LocalObjectReference[]
  readonly hostname?: string
  readonly subdomain?: string
  readonly schedulerName?: string
  readonly tolerations?: readonly Toleration[]
  readonly readinessGates?: readonly { readonly conditionType: string }[]
  readonly schedulingGates?: readonly { readonly name: string }[]
  readonly enableServiceLinks?: boolean
  readonly [member: string]: unknown
}

export interface Container {
  readonly name: string
  readonly image?: string
  readonly imagePullPolicy?: string
  readonly terminationMessagePath?: string
  readonly terminationMessagePolicy?: string
  readonly restartPolicy?: string
  readonly ports?: readonly ContainerPort[]
  readonly env?: readonly EnvVar[]
  readonly resources: ResourceRequirements
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly startupProbe?: Probe
  readonly lifecycle?: { readonly postStart?: Handler; readonly preStop?: Handler }
  readonly [member: string]: unknown
}

export interface ContainerPort {
  readonly name?: string
  readonly hostPort?: number
  readonly containerPort: number
  readonly protocol?: string
  readonly hostIP?: string
}

export interface EnvVar {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly fieldRef?: FieldRef; readonly [member: string]: unknown }
}

export interface FieldRef {
  readonly apiVersion?: string
  readonly fieldPath: string
}

export interface ResourceRequirements {
  readonly limits?: Readonly<Record<string, string | number>>
  readonly requests?: Readonly<Record<string, string | number>>
}

export interface Handler {
  readonly httpGet?: { readonly path?: string; readonly scheme?: string; readonly [member: string]: unknown }
  readonly [member: string]: unknown
}

export interface Probe extends Handler {
  readonly timeoutSeconds?: number
  readonly periodSeconds?: number
  readonly successThreshold?: number
  readonly failureThreshold?: number
}

export interface Volume {
  readonly name: string
  readonly [source: string]: unknown
}

export interface Toleration {
  readonly key?: string
  readonly operator?: string
  readonly value?: string
  readonly effect?: string
  readonly tolerationSeconds?: number
}

export interface PodStatus {
  readonly phase?: string
  readonly reason?: string
  readonly conditions?: readonly PodCondition[]
  readonly nominatedNodeName?: string
  readonly podIP?: string
  readonly podIPs?: readonly { readonly ip: string }[]
  readonly initContainerStatuses?: readonly ContainerStatus[]
  readonly containerStatuses?: readonly ContainerStatus[]
  readonly qosClass?: string
  readonly [member: string]: unknown
}

export interface PodCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastProbeTime?: string | null
  readonly lastTransitionTime?: string | null
}

export interface ContainerStatus {
  readonly name: string
  readonly ready: boolean
  readonly started?: boolean
  readonly restartCount: number
  readonly state: ContainerState
  readonly lastState: ContainerState
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string }
  readonly running?: { readonly startedAt?: string | null }
  readonly terminated?: Terminated
}

export interface Terminated {
  readonly exitCode: number
  readonly signal?: number
  readonly reason?: string
  readonly finishedAt?: string | null
}

/** An init container that goes on running beside the others. */
export function isSidecar(container: Container | undefined): boolean {
  return container?.restartPolicy === 'Always'
}
