import type { ClientCertificate, Unverified } from '../connection/connect.ts'
import type { Trust } from '../connection/trust.ts'
import type { LocalServer } from '../local/contract.ts'

/** Everything needed to use one cluster as one user. */
export interface ClusterAccess {
  /** http or https; may have a path that prefixes all others. */
  readonly url: URL
  readonly trust: Trust | Unverified
  /** The name in the server's certificate, if it differs from that in the URL. */
  readonly serverName?: string
  readonly proxy?: URL
  readonly credentials: ClientCredentials
  /** Set if the server is part of this process, so that no connection is needed. */
  readonly local?: LocalServer
  /** The default namespace. */
  readonly namespace: string
}

/** Credentials of the user. They may change during the life of a client. */
export interface ClientCredentials {
  /** Sent with every request. */
  headers(): Promise<Readonly<Record<string, string | string[]>>>
  /** Used when a connection is opened. */
  clientCertificate(): Promise<ClientCertificate | undefined>
  /**
   * The server refused them (401); `authorization` is the header that was sent. Returns whether there may be others
   * now, so that a retry makes sense.
   */
  refused(authorization: string | undefined): boolean
}

/**
 * A kubeconfig, or a file it refers to, cannot be used. The message names the file and the field, and contains no
 * secret.
 */
export class KubeconfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'KubeconfigError'
  }
}

/** The kubeconfig is fine, but the program that it names gave no credential. */
export class CredentialPluginFailed extends KubeconfigError {}
