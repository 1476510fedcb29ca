import type { Credential, RequestTarget, UserInfo } from '../api/access.ts'
import type { RefusalLayer } from '../api/error.ts'
import type { Kind } from '../api/kind.ts'
import type { AccessKeyScope } from '../api/types/management.ts'
import type { AuthenticationResult, Authenticator, Authorizer, RefusedKey, TokenSource } from '../auth/contract.ts'
import type { SessionHalves } from '../auth/keys/values/session-value.ts'
import type { SignedOn, SignOnLogout } from '../auth/signed-on.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Random } from '../base/random.ts'
import type { LocalServer } from '../client/local/contract.ts'
import type { Registry } from '../registry/contract.ts'
import type { AnnotationRecord } from './audit-annotations.ts'
import type { ApiGroup } from './discovery/catalog.ts'
import type { AggregatedCatalog } from './discovery/foreign.ts'
import type { Exchange, ForwardTarget, Handler } from './exchange.ts'
import type { KnownFlow } from './fairness/flow.ts'
import type { BodyLimit, Request } from './http.ts'
import type { Limits } from './limits.ts'
import type { PipelineStep } from './pipeline.ts'
import type { ProxySettings } from './proxies/trusted-proxies.ts'
import type { ReviewResource } from './reviews/contract.ts'
import type { RequestTracing } from './tracing/trace-exchange.ts'
import type { IncomingStream } from './transport/http2/incoming-stream.ts'

export interface ApiServer {
  /** Port 0 picks any free port. */
  listen(port: number, host: string): Promise<{ readonly port: number }>
  /** Reports at `/readyz` that the server is about to stop, and continues. */
  drain(): void
  /** Accepts no more requests, ends watches cleanly and waits for the others, within a limit. */
  close(): Promise<void>
  /** The certificate for connections from now on. */
  useCertificate(tls: TlsFiles): void
  /** Answers one request on a session that another component holds, with the identity in `peer`. */
  serveStream(incoming: IncomingStream): void
  /** For clients in this process. */
  readonly local: LocalServer
}

export interface ApiServerDependencies {
  readonly registry: Registry
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  readonly clock: Clock
  /** For durations: `monotonicClock`. */
  readonly elapsed: Clock
  readonly random: Random
  readonly log: Log
  readonly tls: TlsFiles
  readonly version: VersionInfo
  readonly impersonate?: Impersonate
  readonly openApi?: (kinds: () => readonly Kind[]) => OpenApi
  readonly reviews?: readonly ReviewResource[]
  readonly healthChecks?: readonly HealthCheck[]
  readonly limits?: Partial<Limits>
  /** Proxies that report where a request came from. Absent: none is trusted. */
  readonly proxies?: ProxySettings
  /** Asked in order about requests that nothing else serves; each was authorized by its path. */
  readonly extraRoutes?: readonly ExtraRoute[]
  /** Groups that extra routes answer, as listed in discovery. Called each time. */
  readonly moreGroups?: () => readonly ApiGroup[]
  /**
   * Whether extra routes lead into Pods, so that discovery lists those subresources. Called each time. Absent: they do
   * not.
   */
  readonly hasConnections?: () => boolean
  /** APIs behind APIServices; an extra route serves their requests. */
  readonly aggregated?: AggregatedCatalog
  /** Metrics of other components in this process, in the Prometheus text format. */
  readonly moreMetrics?: () => Promise<string>
  /** Called with every request when it has finished. */
  readonly audit?: (record: AuditRecord) => void
  /** Called before a request is carried out. Throws or rejects to refuse a request that could not be recorded. */
  readonly requireAudit?: RequireAudit | undefined
  /** Recognizes requests for another API behind this one; an extra route serves them. */
  readonly readOnward?: (url: string) => ForwardTarget | undefined
  /** The flow of requests that do not simply belong to their caller. */
  readonly knownFlow?: KnownFlow
  /** Whether a caller outside the administrators' group uses their places. */
  readonly isAdministrator?: (exchange: Exchange) => boolean
  /** Lets users sign in with a browser. */
  readonly sessions?: Sessions
  /** Lets users sign in at an identity provider. */
  readonly signOn?: SignOn
  /** Absent: requests are not traced. */
  readonly tracing?: RequestTracing
  /** Answers requests for public pages, before authentication. */
  readonly pages?: PipelineStep
}

/** Keeps users signed in. */
export interface Sessions {
  /** Authenticates the user that both halves belong to. */
  authenticate(halves: SessionHalves, source: TokenSource): AuthenticationResult | Promise<AuthenticationResult>
  /** Starts a session for an authenticated user. */
  begin(start: SessionStart): Promise<BegunSession>
  /** The same for a user who signed in at an identity provider. */
  beginSignedOn(entered: EnteredUser, source: TokenSource): Promise<BegunSession>
  /** Issues an access key for a program of such a user. */
  issueSignedOn(entered: EnteredUser, source: TokenSource): Promise<IssuedKey>
  /** Lists an approved machine, and lets it end with its user's sessions, before it has fetched its key. */
  announce(entered: EnteredUser, machine: AnnouncedMachine): Promise<AnnouncedKey>
  /**
   * Issues an access key for a machine that exchanged its token. Undefined: its owner does not exist, is locked, or has
   * too many keys.
   */
  issueForMachine(machine: ExchangedToken): Promise<MachineKey | undefined>
  /** Ends the sessions of a user who signed out at the provider. Returns their number. */
  endSignedOn(logout: SignOnLogout): Promise<number>
  /** Ends the session that a request came with. */
  end(credential: Pick<Credential, 'keyName' | 'keyUid'>): Promise<void>
  /** Undefined: it never ends. */
  expiresAtMs(credential: Credential): number | undefined
}

/** A user of the platform, identified by an identity provider. */
export interface EnteredUser {
  readonly user: string
  readonly signedOn: SignedOn
  /** The machine that the user approved, by the name it gave itself. Absent: the one that the user signed in on. */
  readonly machine?: string
  /** Absent: the user has approved no other machine. */
  readonly announced?: AnnouncedKey
}

/** A machine that a user approved. */
export interface AnnouncedMachine {
  readonly machine: string
  readonly address: string
  /** How long the machine may take to fetch its key. */
  readonly ttlSeconds: number
}

/** A placeholder for the key of such a machine until it fetches it. Its value is never shown. */
export interface AnnouncedKey {
  readonly keyName: string
  readonly keyUid: string
}

/** The result of exchanging the token of a machine. */
export interface ExchangedToken {
  readonly owner: { readonly kind: 'user' | 'team'; readonly name: string }
  readonly scope?: AccessKeyScope
  readonly ttlSeconds: number
  /** Name of the TrustedIssuer. */
  readonly issuer: string
  /** The subject of the machine at the issuer. */
  readonly subject: string
}

export interface MachineKey extends IssuedKey {
  readonly ttlSeconds: number
}

export interface IssuedKey {
  /** Returned once, and not stored here. */
  readonly accessKey: string
  readonly keyName: string
}

/** Sign-in by identity providers. */
export interface SignOn {
  /** The pages and redirects under `/auth`, which use `readBody` for what strangers send. */
  pages(readBody: (exchange: Exchange, limit: BodyLimit) => Promise<Buffer>): PipelineStep
  /**
   * The user that a one-time code stands for; undefined if the code is unknown, was used, or belongs to another caller.
   * Pending: the user has not signed in yet.
   */
  redeem(code: RedeemedCode): Promise<EnteredUser | 'pending' | undefined>
  /** Exchanges the token of a machine, whatever its address. */
  exchange(token: string, address: string): Promise<ExchangeOutcome>
}

export type ExchangeOutcome =
  | { readonly outcome: 'exchanged'; readonly exchanged: ExchangedToken }
  /** Only the log states the reason. */
  | { readonly outcome: 'refused' }
  /** The issuer cannot be reached for its keys. */
  | { readonly outcome: 'away' }
  | { readonly outcome: 'too-many'; readonly retryAfterSeconds: number }

export interface RedeemedCode {
  readonly code: string
  /** A secret of the client that began the sign-in. */
  readonly verifier: string
  readonly use: 'session' | 'key'
}

export interface SessionStart {
  readonly user: UserInfo
  /** The token that authenticated the user. */
  readonly token: string
  readonly source: TokenSource
}

export interface BegunSession {
  /** Returned once, and not stored here. */
  readonly halves: SessionHalves
  readonly user: UserInfo
  readonly latestEndMs: number
}

/** PEM texts. With `clientCa`, clients may identify themselves by a certificate of that authority. */
export interface TlsFiles {
  readonly key: string
  readonly cert: string
  readonly clientCa?: string
}

export interface VersionInfo {
  readonly major: string
  readonly minor: string
  readonly gitVersion: string
  readonly gitCommit?: string
  readonly buildDate?: string
}

export type ExtraRoute = (exchange: Exchange) => Handler | undefined

/** The user that the caller impersonates; the caller itself if no header asks for it. */
export type Impersonate = (
  user: UserInfo,
  request: Request,
  authorizer: Authorizer,
  onward?: ForwardTarget,
) => UserInfo | Promise<UserInfo>

export interface HealthCheck {
  readonly name: string
  /** Throws or rejects when the check fails. The reason is logged but not shown, unless it is `Unhealthy`. */
  readonly check: () => void | Promise<void>
  /** A problem that is no reason to send requests elsewhere or to restart. Shown with the checks that passed. */
  readonly trouble?: () => string | undefined
  /** Absent: all three endpoints. */
  readonly only?: readonly ('livez' | 'readyz' | 'healthz')[]
  /** The check can be asked for by its name at endpoints that do not count it. Absent: it cannot. */
  readonly alone?: 'everywhere'
}

/** A reason that may be shown to all callers. */
export class Unhealthy extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Unhealthy'
  }
}

export interface ServedFile {
  readonly body: Buffer
  /** Includes the quotes. */
  readonly etag: string
  readonly hash: string
}

export interface OpenApi {
  readonly v3Index: () => Promise<ServedFile>
  /** `groupVersion` as in the index: `api/v1` or `apis/<group>/<version>`. */
  readonly v3: (groupVersion: string) => Promise<ServedFile | undefined>
  readonly v2Json: () => Promise<ServedFile>
  readonly v2Protobuf: () => Promise<ServedFile>
}

/** A request as the audit log records it, without bodies and credentials. */
export interface AuditedRequest {
  readonly auditId: string
  readonly verb: string
  readonly requestUri: string
  readonly user: UserInfo
  /** The access key of the request if it is no longer valid, in which case the user is unknown. */
  readonly refusedKey?: RefusedKey | undefined
  readonly impersonatedUser?: UserInfo | undefined
  readonly sourceAddress: string
  readonly userAgent: string
  /** Absent: this server itself. */
  readonly target?: RequestTarget | undefined
  /** Whether a change behind this server creates a missing object, which takes the right to create it. */
  readonly mayCreate?: boolean | undefined
  /** The path requested from the target, as authorized. Absent for a request for an object. */
  readonly path?: string | undefined
  readonly objectRef?: AuditedObject | undefined
  readonly receivedAtMs: number
  /** Why the request was allowed or refused, if a reason was given. */
  readonly decision: string
  /** Whether neither the authorization nor a later step refused the request. */
  readonly isAuthorized: boolean
  /** The layer that refused it. Absent: one without a name, such as the rule that an object cannot be deleted. */
  readonly layer?: RefusalLayer | undefined
}

export interface AuditedObject {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

/** A finished request. */
export interface AuditRecord extends AuditedRequest {
  readonly code: number
  readonly finishedAtMs: number
  /** Annotations from admission. Absent: none. */
  readonly annotations?: AnnotationRecord | undefined
}

export type RequireAudit = (request: AuditedRequest) => undefined | Promise<undefined>
