import type { ClientCertificate, Unverified } from '../connection/connect.ts'
import type { Trust } from '../connection/trust.ts'
import type { LocalServer } from '../local/contract.ts'

/** Everything that is needed to talk to one cluster as one user. */
export interface ClusterAccess {
  /** http or https; may have a path that all paths go below. */
  readonly url: URL
  readonly trust: Trust | Unverified
  /** The name in the server's certificate, where it is not that of the URL. */
  readonly serverName?: string
  readonly proxy?: URL
  readonly credentials: ClientCredentials
  /** The server itself, where it is part of this process: no connection is needed. */
  readonly local?: LocalServer
  /** Where things go that name no namespace. */
  readonly namespace: string
}

/** Proof of who is asking. May change while a client lives. */
export interface ClientCredentials {
  /** Sent with every request. */
  headers(): Promise<Readonly<Record<string, string | string[]>>>
  /** Shown when a connection is opened. */
  clientCertificate(): Promise<ClientCertificate | undefined>
  /**
   * The server does not accept them (401); `authorization` is the header that was sent. Whether there may be others
   * now, so that asking again makes sense.
   */
  refused(authorization: string | undefined): boolean
}

/** A kubeconfig, or what it points to, cannot be used. The message names the file and the field, and shows no secret. */
export class KubeconfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'KubeconfigError'
  }
}
