import type { JsonObject, KubeObject } from '../object.ts'

/** Made by `npm run generate` from the tables in src/api/facts. */

export interface APIGroup {
  readonly name: string
  readonly versions: readonly GroupVersionForDiscovery[] | null
  readonly preferredVersion: GroupVersionForDiscovery
  readonly serverAddressByClientCIDRs?: readonly ServerAddressByClientCIDR[]
}

export interface APIResource {
  readonly name: string
  readonly singularName: string
  readonly namespaced: boolean
  readonly group?: string
  readonly version?: string
  readonly kind: string
  readonly verbs: readonly string[] | null
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly storageVersionHash?: string
}

export interface APIVersions {
  readonly versions: readonly string[] | null
  readonly serverAddressByClientCIDRs: readonly ServerAddressByClientCIDR[] | null
}

export interface Condition {
  readonly type: string
  readonly status: string
  readonly observedGeneration?: number
  readonly lastTransitionTime: string | null
  readonly reason: string
  readonly message: string
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number
  readonly preconditions?: Preconditions
  readonly orphanDependents?: boolean
  readonly propagationPolicy?: string
  readonly dryRun?: readonly string[]
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean
}

export interface FieldSelectorRequirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}

export interface GroupVersionForDiscovery {
  readonly groupVersion: string
  readonly version: string
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly LabelSelectorRequirement[]
}

export interface LabelSelectorRequirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}

export interface ListMeta {
  readonly selfLink?: string
  readonly resourceVersion?: string
  readonly continue?: string
  readonly remainingItemCount?: number
}

export interface ManagedFieldsEntry {
  readonly manager?: string
  readonly operation?: string
  readonly apiVersion?: string
  readonly time?: string
  readonly fieldsType?: string
  readonly fieldsV1?: JsonObject
  readonly subresource?: string
}

export interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller?: boolean
  readonly blockOwnerDeletion?: boolean
}

export type PartialObjectMetadata = KubeObject

export interface Preconditions {
  readonly uid?: string
  readonly resourceVersion?: string
}

export interface ServerAddressByClientCIDR {
  readonly clientCIDR: string
  readonly serverAddress: string
}

export interface Status {
  readonly metadata?: ListMeta
  readonly status?: string
  readonly message?: string
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code?: number
}

export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

export interface WatchEvent {
  readonly type?: string
  readonly object?: unknown
}
