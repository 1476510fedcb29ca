import type { ClientCertificate } from '../../client/connection/connect.ts'
import type { ForwardAnswer, ForwardRequest } from '../../client/forward/contract.ts'
import type { V2Document } from './v2-document.ts'

/** Proves to users' servers that a request comes from the API server of their cluster. */
export interface FrontProxy {
  /** The authority of the certificate, in PEM. */
  readonly authority: string
  readonly certificate: ClientCertificate
}

/** One version of a group, served by a user's server. */
export interface AggregatedApi {
  /** The name of the APIService. */
  readonly name: string
  readonly group: string
  readonly version: string
  readonly isAvailable: boolean
  /** The resources that the server reports; undefined while unknown. Their names are unique. */
  readonly resources: readonly AggregatedResource[] | undefined
  /** The server's OpenAPI 2 document for this version, if known. */
  readonly v2?: V2Document | undefined
  forward(request: ForwardRequest): Promise<ForwardAnswer>
}

/** One entry in a server's resource list. */
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
