import type { KubeObject } from '../object.ts'

/** Nodes are kept as data here: what is named is what defaulting, validation and printing look at. */
export interface Node extends KubeObject {
  readonly spec: NodeSpec
  readonly status: NodeStatus
}

export interface NodeSpec {
  readonly podCIDR?: string
  readonly podCIDRs?: readonly string[]
  readonly providerID?: string
  readonly unschedulable?: boolean
  readonly taints?: readonly Taint[]
}

export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: string
  readonly timeAdded?: string
}

export interface NodeStatus {
  readonly capacity?: Readonly<Record<string, string>>
  readonly allocatable?: Readonly<Record<string, string>>
  readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  readonly addresses?: readonly { readonly type: string; readonly address: string }[]
  readonly nodeInfo: NodeSystemInfo
  readonly [member: string]: unknown
}

export interface NodeSystemInfo {
  readonly kubeletVersion: string
  readonly osImage: string
  readonly kernelVersion: string
  readonly containerRuntimeVersion: string
}
