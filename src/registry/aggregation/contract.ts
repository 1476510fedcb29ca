import type { ClientCertificate } from '../../client/connection/connect.ts'
import type { ForwardAnswer, ForwardRequest } from '../../client/forward/contract.ts'
import type { V2Document } from './v2-document.ts'

/** Proves to servers of users that a request comes from the API server of their cluster. */
export interface FrontProxy {
  /** PEM: the authority of the certificate. */
  readonly authority: string
  readonly certificate: ClientCertificate
}

/** One version of a group that a server of a user answers for. */
export interface AggregatedApi {
  /** Of the APIService. */
  readonly name: string
  readonly group: string
  readonly version: string
  readonly isAvailable: boolean
  /** What the server says it serves; undefined while that is not known. Each has a name of its own. */
  readonly resources: readonly AggregatedResource[] | undefined
  /** What the server says of it in OpenAPI 2. Absent: nothing that is known. */
  readonly v2?: V2Document | undefined
  forward(request: ForwardRequest): Promise<ForwardAnswer>
}

/** One entry of what a server says it serves. */
export interface AggregatedResource {
  /** `plural`, or `plural/subresource`. */
  readonly name: string
  readonly singularName: string
  readonly namespaced: boolean
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
}
