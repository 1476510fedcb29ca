import type { UserInfo } from '../../api/access.ts'
import type { Kind } from '../../api/kind.ts'
import type { JsonObject, KubeObject } from '../../api/object.ts'
import type { ServiceReference } from '../../api/types/admissionregistration-v1.ts'
import type { Engine } from '../context.ts'
import type { AnnotateAudit } from '../contract.ts'

/** Which servers webhooks may be, by the kind of API server that asks them. */
export interface WebhookReach {
  /**
   * `public`: a URL, or a Service that names another host, leads to no address of this machine, of a link or of a private
   * network, since users of the cluster write it and the process stands in the operator's network.
   */
  readonly addresses: 'any' | 'public'
  readonly services: (engine: Engine) => ResolveService
}

/** Where a Service is found at the moment. Throws an Error that says why it is not. */
export type ResolveService = (service: ServiceReference) => ServiceRoute

export interface ServiceRoute {
  readonly host: string
  readonly port: number
  /** The address was given to the Service by a cluster, and not written by a user. */
  readonly isAssigned: boolean
}

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

export interface GroupVersionResource {
  readonly group: string
  readonly version: string
  readonly resource: string
}

/** How webhooks are shown the object of a request. */
export interface ShownKind {
  /** Of what is shown. */
  readonly kind: Kind
  readonly resource: GroupVersionResource
  readonly show: (object: KubeObject) => KubeObject | Promise<KubeObject>
  /** The object of the request with what a webhook has changed in what it was shown. */
  readonly take: (shown: KubeObject, object: KubeObject) => KubeObject | Promise<KubeObject>
}

/** One request as webhooks are told of it. */
export interface AdmissionAttributes {
  readonly operation: Operation
  readonly sent: ShownKind
  /** Other versions and groups by which the same objects are served. */
  readonly equivalents: () => readonly ShownKind[]
  readonly subresource: string
  /** Of a namespace itself: its name. */
  readonly namespace: string
  /** Empty if it is not made yet. */
  readonly name: string
  /** Absent for deletions. */
  readonly object: KubeObject | undefined
  readonly old: KubeObject | undefined
  /** CreateOptions, UpdateOptions or DeleteOptions; null for a connection. */
  readonly options: JsonObject | null
  readonly isDryRun: boolean
  readonly user: UserInfo
}

/** What webhooks need of a request besides its attributes. */
export interface AskingRequest {
  readonly signal: AbortSignal
  readonly warn: (text: string) => void
  /** Puts something on record about the request. */
  readonly annotate?: AnnotateAudit | undefined
}
