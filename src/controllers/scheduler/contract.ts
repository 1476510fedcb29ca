import type { Labels } from '../../api/selectors/label-requirement.ts'
import type { LabelSelector } from '../../api/selectors/label-selector.ts'
import type { PodSpec, Taint } from '../../api/types/core-v1.ts'
import type { Owned } from '../ownership/owned.ts'

/** Amounts of resources, in billionths. */
export type ResourceAmounts = ReadonlyMap<string, bigint>

export const oneUnit = 1_000_000_000n

/** Which Pods a term of affinity, or of spreading, is about. */
export interface PodTerm {
  /** Equal for terms that mean the same. */
  readonly id: string
  readonly topologyKey: string
  readonly selector: LabelSelector
  readonly namespaces: ReadonlySet<string>
  /** Namespaces beside those that are named. Absent: none. */
  readonly namespaceSelector: LabelSelector | undefined
}

/** Spreading that has to hold: `DoNotSchedule`. */
export interface SpreadRule {
  readonly term: PodTerm
  readonly maxSkew: number
  readonly minDomains: number
  readonly honorsAffinity: boolean
  readonly honorsTaints: boolean
}

/** What a Pod asks of the node that it goes to. */
export interface PlacementWish {
  readonly uid: string
  readonly namespace: string
  readonly labels: Labels
  readonly spec: Pick<PodSpec, 'nodeSelector' | 'affinity' | 'tolerations' | 'preemptionPolicy'>
  readonly requests: ResourceAmounts
  readonly hostPorts: readonly HostPort[]
  readonly affinity: readonly PodTerm[]
  readonly antiAffinity: readonly PodTerm[]
  readonly spread: readonly SpreadRule[]
  /** In terms of affinity and spread, also in those that were left out because there are too many. */
  readonly conditionCount: number
}

export interface HostPort {
  readonly protocol: string
  /** `0.0.0.0` for all. */
  readonly address: string
  readonly port: number
}

/** What is known of every Pod. */
export interface ScheduledFacts extends Owned {
  /** Empty until it is bound. */
  readonly nodeName: string
  readonly hasEnded: boolean
  readonly priority: number
  readonly requests: ResourceAmounts
  readonly hostPorts: readonly HostPort[]
  readonly antiAffinity: readonly PodTerm[]
  /** Absent for Pods that are not to be scheduled here: bound, ended, gated, or another scheduler's. */
  readonly wish: PlacementWish | undefined
}

export interface NodeFacts {
  readonly name: string
  readonly labels: Labels
  readonly taints: readonly Taint[]
  readonly isUnschedulable: boolean
  readonly allocatable: ResourceAmounts
}

/** A node and what its Pods take of it. */
export interface NodeUse {
  readonly node: NodeFacts
  readonly used: ResourceAmounts
  readonly podCount: number
  readonly hostPorts: TakenPorts
}

/** How many Pods have a port, by its protocol and number, then by address. */
export type TakenPorts = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Pods by what they are labeled with, and where they are. */
export interface PlacedPods {
  /** How many Pods all terms select, by node. Those that are being deleted count only if `countsEnding`. */
  countByNode(terms: readonly PodTerm[], countsEnding: boolean): ReadonlyMap<string, number>
  /** Terms by which Pods keep others away from them that one like this is among, and how many Pods have them, by node. */
  repelling(pod: PlacementWish): readonly { readonly term: PodTerm; readonly byNode: ReadonlyMap<string, number> }[]
  /** Whether the term is about Pods like this one. */
  selects(term: PodTerm, pod: { readonly namespace: string; readonly labels: Labels }): boolean
}

/** Why a Pod does not go to a node. */
export interface NodeRefusal {
  readonly reasons: readonly string[]
  /** Also if other Pods went away. */
  readonly isFinal: boolean
}

export type NodeFilter = (use: NodeUse) => NodeRefusal | undefined

export type NodePlacement =
  | { readonly placement: 'bind'; readonly uid: string; readonly node: string }
  | { readonly placement: 'refuse'; readonly uid: string; readonly message: string }
