import type { UserInfo } from '../../api/access.ts'
import type { Kind } from '../../api/kind.ts'
import type { JsonObject, KubeObject } from '../../api/object.ts'
import type { ServiceReference } from '../../api/types/admissionregistration-v1.ts'
import type { Engine } from '../context.ts'
import type { WriteRequest } from '../contract.ts'

/** Which servers may be webhooks, depending on the kind of API server that calls them. */
export interface WebhookAddressRules {
  /**
   * `public`: a URL, or a Service that names another host, must not resolve to an address of this machine, link-local
   * or private, since users of the cluster write it and the process runs in the operator's network.
   */
  readonly addresses: 'any' | 'public'
  readonly services: (engine: Engine) => ResolveService
}

/** Where a Service is currently reachable. Throws an Error that says why it is not. */
export type ResolveService = (service: ServiceReference) => ServiceRoute

export interface ServiceRoute {
  readonly host: string
  readonly port: number
  /** Whether a cluster assigned the address, as opposed to a user writing it. */
  readonly isAssigned: boolean
}

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

export interface GroupVersionResource {
  readonly group: string
  readonly version: string
  readonly resource: string
}

/** How the object of a request is shown to webhooks. */
export interface ShownKind {
  /** The kind of the shown object. */
  readonly kind: Kind
  readonly resource: GroupVersionResource
  readonly show: (object: KubeObject) => KubeObject | Promise<KubeObject>
  /** Applies a webhook's changes to the shown object to the object of the request. */
  readonly take: (shown: KubeObject, object: KubeObject) => KubeObject | Promise<KubeObject>
}

/** One request, as described to webhooks. */
export interface AdmissionAttributes {
  readonly operation: Operation
  readonly sent: ShownKind
  /** Other versions and groups under which the same objects are served. */
  readonly equivalents: () => readonly ShownKind[]
  readonly subresource: string
  /** For a namespace itself: its name. */
  readonly namespace: string
  /** Empty if it has not been generated yet. */
  readonly name: string
  /** Absent for deletions. */
  readonly object: KubeObject | undefined
  readonly old: KubeObject | undefined
  /** CreateOptions, UpdateOptions or DeleteOptions; null for a connection. */
  readonly options: JsonObject | null
  readonly isDryRun: boolean
  readonly user: UserInfo
}

/** What webhooks and policies need from a request besides its attributes. */
export type AskingRequest = Pick<WriteRequest, 'user' | 'signal' | 'warn' | 'annotate' | 'authorize'>
