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
  /** The name of this process, if several run for the virtual cluster. */
  readonly processName: string
  readonly virtualApi: VirtualApi
  readonly env: Readonly<Record<string, string | undefined>>
  /** For durations: `monotonicClock`. */
  readonly elapsed: Clock
  readonly random: Random
  readonly log: Log
  /** Called with the platform's license, at every registration and every link. */
  readonly onLicense?: (license: ToldLicense) => void
  /** Called for every change, for Events and health reports. */
  readonly onState?: (state: LinkState) => void
}

/** The tenant that registers. */
export interface TenantIdentity {
  /** Its name on the host, and on the platform unless the key names another. */
  readonly name: string
  /** Namespace on the host. */
  readonly namespace: string
  /**
   * UID of its Service on the host, or another value that is stable for the life of the virtual cluster. It proves
   * nothing.
   */
  readonly serviceUid: string
  /** Used unless the key names one. */
  readonly project?: string
  /** Its object on one platform, where it registers only as this one. */
  readonly known?: KnownObject
  readonly version: { readonly tenant: string; readonly kubernetes: string }
}

export interface KnownObject {
  /** As in `PlatformKey`. */
  readonly url: string
  readonly uid: string
}

/** The proof by which the platform recognizes the virtual cluster, and the name it has there. */
export interface KeptProof {
  readonly project: string
  readonly name: string
  readonly proof: string
}

/** Stores the proof of the virtual cluster for all of its processes. Throws LinkFailure if that is not possible. */
export interface ProofKeeper {
  /** Undefined: there is none yet. */
  read(): Promise<KeptProof | undefined>
  /**
   * Stores a new proof in place of the one read last. Resolves to the stored proof, which is another one if another
   * process of the virtual cluster was faster.
   */
  keep(proof: KeptProof): Promise<KeptProof>
}

/**
 * The API server of the virtual cluster, used as its administrator. Every request that gets here has headers that name
 * the user to act as.
 */
export interface VirtualApi {
  serve(request: LinkRequest): void
  /** Binds a ClusterRole to the group that stands for it. Resolves once the binding exists, even if it did before. */
  bindClusterRole(role: string): Promise<void>
}

export interface LinkRequest {
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
}

export type LinkState =
  | { readonly state: 'connecting' }
  /** `name`: the platform's name for the virtual cluster, which differs from the requested one if that was taken. */
  | { readonly state: 'linked'; readonly project: string; readonly name: string }
  /** Not linked; another attempt follows. */
  | { readonly state: 'waiting'; readonly problem: LinkProblem; readonly retryMs: number }
  | { readonly state: 'stopped' }

export type LinkProblemReason =
  /** The platform does not accept the access key at all. */
  | 'KeyRefused'
  /** The key has no entry for the role `tenant` that covers this virtual cluster. */
  | 'RoleMissing'
  /** The platform's license does not include it, or not this many. */
  | 'LicenseMissing'
  /** The owner of the key may not link virtual clusters in the project. */
  | 'NotAllowed'
  | 'ProjectMissing'
  | 'NameTaken'
  /** The platform knows the virtual cluster by another proof than this one has, if it has any. */
  | 'ProofRefused'
  /** The proof cannot be stored, or cannot be read. */
  | 'ProofNotKept'
  /** An administrator has voided the proof. */
  | 'Reissued'
  /** The tenant sent more than the platform accepts. */
  | 'Flooding'
  /** The key was valid but no longer is. */
  | 'KeyRevoked'
  /** The platform no longer knows the virtual cluster. */
  | 'Removed'
  /** Another process with the same identity has linked. */
  | 'Replaced'
  | 'PlatformUnavailable'
  | 'Unreachable'
  | 'CertificateRefused'
  | 'ConnectionLost'
  /** The platform gave an unexpected answer. */
  | 'PlatformError'

export interface LinkProblem {
  readonly reason: LinkProblemReason
  /** For users; never contains a key. */
  readonly message: string
  /** The platform ended the link in an orderly way, and can accept it again within this time. */
  readonly returnWithinMs?: number
}

export interface TenantLink {
  readonly state: LinkState
  /** Uses a key that was rotated, or found elsewhere. An open link stays open if the platform is the same. */
  takeKey(key: PlatformKey): void
  /** Tells the platform that this process stops soon. Until then it answers requests. */
  leave(): void
  /** Tells the platform, gives requests under way a short time to finish, and resolves when everything has ended. */
  stop(): Promise<void>
}
