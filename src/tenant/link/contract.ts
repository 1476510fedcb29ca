import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { ToldLicense } from '../../api/told-license.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Random } from '../../base/random.ts'
import type { PlatformKey } from '../platform-key/contract.ts'

export interface TenantLinkOptions {
  readonly key: PlatformKey
  readonly identity: TenantIdentity
  readonly proofs: ProofKeeper
  /** What this process is called, where several run for the virtual cluster. */
  readonly processName: string
  readonly virtualApi: VirtualApi
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Told of the license that the platform holds, with every registration and every link. */
  readonly onLicense?: (license: ToldLicense) => void
  /** Notified of every change, for Events and health reports. */
  readonly onState?: (state: LinkState) => void
}

/** Who registers. */
export interface TenantIdentity {
  /** Its name on the host, and on the platform where the key says nothing else. */
  readonly name: string
  /** Namespace on the host. */
  readonly namespace: string
  /** UID of its Service on the host, or whatever stays the same as long as the virtual cluster does. It proves nothing. */
  readonly serviceUid: string
  /** Where the key says nothing else. */
  readonly project?: string
  readonly version: { readonly tenant: string; readonly kubernetes: string }
}

/** What the platform recognizes the virtual cluster by, and as what. */
export interface KeptProof {
  readonly project: string
  readonly name: string
  readonly proof: string
}

/** Where the proof of the virtual cluster is kept, for all of its processes. Throws LinkFailure where it cannot be. */
export interface ProofKeeper {
  /** Undefined: there is none yet. */
  read(): Promise<KeptProof | undefined>
  /**
   * Keeps a new proof in place of what was read last. Resolves to the one that is kept from then on, which is another if another
   * process of the virtual cluster was faster.
   */
  keep(proof: KeptProof): Promise<KeptProof>
}

/**
 * The API server of the virtual cluster, asked as its administrator. Requests come with headers that say whom to act as;
 * none without gets here.
 */
export interface VirtualApi {
  serve(request: LinkRequest): void
  /** Binds the group that stands for a ClusterRole to it. Resolves once the binding exists, also if it did before. */
  bindClusterRole(role: string): Promise<void>
}

export interface LinkRequest {
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
}

export type LinkState =
  | { readonly state: 'connecting' }
  /** `name`: how the platform calls the virtual cluster; another than it wanted if that one was taken. */
  | { readonly state: 'linked'; readonly project: string; readonly name: string }
  /** Not linked, and it will be tried again. */
  | { readonly state: 'waiting'; readonly problem: LinkProblem; readonly retryMs: number }
  | { readonly state: 'stopped' }

export type LinkProblemReason =
  /** The platform does not take the access key at all. */
  | 'KeyRefused'
  /** The key has no entry for the role `tenant` that covers this virtual cluster. */
  | 'RoleMissing'
  /** The license of the platform does not include it, or not so many. */
  | 'LicenseMissing'
  /** The owner of the key may not link virtual clusters in the project. */
  | 'NotAllowed'
  | 'ProjectMissing'
  | 'NameTaken'
  /** The platform knows the virtual cluster by another proof than this one has, if it has any. */
  | 'ProofRefused'
  /** The proof cannot be kept where it belongs, or not be read there. */
  | 'ProofNotKept'
  /** An administrator has voided the proof. */
  | 'Reissued'
  /** The platform has had too much of it. */
  | 'Flooding'
  /** The key was good and is not any more. */
  | 'KeyRevoked'
  /** The platform knows the virtual cluster no longer. */
  | 'Removed'
  /** Another process with the same identity has linked itself. */
  | 'Replaced'
  | 'PlatformUnavailable'
  | 'Unreachable'
  | 'CertificateRefused'
  | 'ConnectionLost'
  /** The platform gave an unexpected answer. */
  | 'PlatformError'

export interface LinkProblem {
  readonly reason: LinkProblemReason
  /** For people; never holds a key. */
  readonly message: string
  /** The platform has ended the link in good order, and can take it back within so long. */
  readonly returnWithinMs?: number
}

export interface TenantLink {
  readonly state: LinkState
  /** A key that was rotated, or found in another place. A link that is up stays up if the platform is the same. */
  takeKey(key: PlatformKey): void
  /** Tells the platform that this process stops soon. Until then it answers. */
  leave(): void
  /** Tells the platform, lets what is under way finish for a moment, and resolves when all is over. */
  stop(): Promise<void>
}
