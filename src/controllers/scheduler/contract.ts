import type { Labels } from '../../api/selectors/label-requirement.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import type { PodSpec, Taint } from '../../api/types/core-v1.ts'
import type { Owned } from '../ownership/owned.ts'

/** Amounts of resources, in billionths. */
export type ResourceAmounts = ReadonlyMap<string, bigint>

export const oneUnit = 1_000_000_000n

/** The Pods that a term of affinity or spreading selects. */
export interface PodTerm {
  /** Equal for equivalent terms. */
  readonly id: string
  readonly topologyKey: string
  readonly selector: LabelSelector
  readonly namespaces: ReadonlySet<string>
  /** Namespaces in addition to those that are named. Absent: none. */
  readonly namespaceSelector: LabelSelector | undefined
}

/** A spread constraint that must hold: `DoNotSchedule`. */
export interface SpreadRule {
  readonly term: PodTerm
  readonly maxSkew: number
  readonly minDomains: number
  readonly honorsAffinity: boolean
  readonly honorsTaints: boolean
}

/** What a Pod requires of its node. */
export interface PlacementRequirements {
  readonly uid: string
  readonly namespace: string
  readonly labels: Labels
  readonly spec: Pick<PodSpec, 'nodeSelector' | 'affinity' | 'tolerations' | 'preemptionPolicy'>
  readonly requests: ResourceAmounts
  readonly hostPorts: readonly HostPort[]
  readonly affinity: readonly PodTerm[]
  readonly antiAffinity: readonly PodTerm[]
  readonly spread: readonly SpreadRule[]
  /** Conditions in affinity and spread terms, including those that were dropped because there are too many. */
  readonly conditionCount: number
}

export interface HostPort {
  readonly protocol: string
  /** `0.0.0.0` for all addresses. */
  readonly address: string
  readonly port: number
}

/** What is known about every Pod. */
export interface ScheduledFacts extends Owned {
  /** Empty until it is bound. */
  readonly nodeName: string
  readonly hasEnded: boolean
  readonly priority: number
  readonly requests: ResourceAmounts
  readonly hostPorts: readonly HostPort[]
  readonly antiAffinity: readonly PodTerm[]
  /** Absent for Pods that are not to be scheduled here: bound, finished, gated, or another scheduler's. */
  readonly wish: PlacementRequirements | undefined
}

export interface NodeFacts {
  readonly name: string
  readonly labels: Labels
  readonly taints: readonly Taint[]
  readonly isUnschedulable: boolean
  readonly allocatable: ResourceAmounts
}

/** A node and what its Pods use. */
export interface NodeUse {
  readonly node: NodeFacts
  readonly used: ResourceAmounts
  readonly podCount: number
  readonly hostPorts: TakenPorts
}

/** How many Pods use a port, by protocol and number, then by address. */
export type TakenPorts = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Placed Pods by their labels and nodes. */
export interface PlacedPods {
  /** How many Pods match all terms, by node. Terminating Pods count only if `countsEnding`. */
  countByNode(terms: readonly PodTerm[], countsEnding: boolean): ReadonlyMap<string, number>
  /** Anti-affinity terms of placed Pods that match this Pod, and how many Pods have them, by node. */
  repelling(
    pod: PlacementRequirements,
  ): readonly { readonly term: PodTerm; readonly byNode: ReadonlyMap<string, number> }[]
  /** Whether the term selects Pods like this one. */
  selects(term: PodTerm, pod: { readonly namespace: string; readonly labels: Labels }): boolean
}

/** Why a Pod cannot run on a node. */
export interface NodeRefusal {
  readonly reasons: readonly string[]
  /** Whether it stays true even if other Pods are removed. */
  readonly isFinal: boolean
}

export type NodeFilter = (use: NodeUse) => NodeRefusal | undefined

export type NodePlacement =
  | { readonly placement: 'bind'; readonly uid: string; readonly node: string }
  | { readonly placement: 'refuse'; readonly uid: string; readonly message: string }
