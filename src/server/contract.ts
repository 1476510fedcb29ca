import type { Credential, RequestTarget, UserInfo } from '../api/access.ts'
import type { RefusalLayer } from '../api/error.ts'
import type { Kind } from '../api/kind.ts'
import type { AccessKeyScope } from '../api/types/management.ts'
import type { AuthenticationResult, Authenticator, Authorizer, RefusedKey, TokenSource } from '../auth/contract.ts'
import type { SessionHalves } from '../auth/keys/session-value.ts'
import type { SignedOn, SignOnLogout } from '../auth/signed-on.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Random } from '../base/random.ts'
import type { LocalServer } from '../client/local/contract.ts'
import type { Registry } from '../registry/contract.ts'
import type { AnnotationRecord } from './audit-annotations.ts'
import type { ApiGroup } from './discovery/catalog.ts'
import type { AggregatedCatalog } from './discovery/foreign.ts'
import type { Exchange, Handler, Onward } from './exchange.ts'
import type { KnownFlow } from './fairness/flow.ts'
import type { BodyLimit, Request } from './http.ts'
import type { Limits } from './limits.ts'
import type { PipelineStep } from './pipeline.ts'
import type { ProxySettings } from './proxies/trusted-proxies.ts'
import type { ReviewResource } from './reviews/contract.ts'
import type { RequestTracing } from './tracing/trace-exchange.ts'
import type { IncomingStream } from './transport/incoming-stream.ts'

export interface ApiServer {
  /** Port 0 takes any free port. */
  listen(port: number, host: string): Promise<{ readonly port: number }>
  /** Says at `/readyz` that it is about to stop, and goes on. */
  drain(): void
  /** Takes no more requests, ends watches cleanly and waits for the rest, within a limit. */
  close(): Promise<void>
  /** What it shows to clients that connect from now on. */
  useCertificate(tls: TlsFiles): void
  /** Answers one request on a session that another component holds, with the identity that `peer` states. */
  serveStream(incoming: IncomingStream): void
  /** For clients in this process. */
  readonly local: LocalServer
}

export interface ApiServerDependencies {
  readonly registry: Registry
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly tls: TlsFiles
  readonly version: VersionInfo
  readonly impersonate?: Impersonate
  readonly openApi?: (kinds: () => readonly Kind[]) => OpenApi
  readonly reviews?: readonly ReviewResource[]
  readonly healthChecks?: readonly HealthCheck[]
  readonly limits?: Partial<Limits>
  /** Proxies that say where a request came from. Absent: none is trusted. */
  readonly proxies?: ProxySettings
  /** Asked in order for what nothing else serves; the request has been authorized by its path. */
  readonly extraRoutes?: readonly ExtraRoute[]
  /** Groups that extra routes answer for, as discovery lists them. Asked each time. */
  readonly moreGroups?: () => readonly ApiGroup[]
  /** Whether extra routes lead into Pods, so that discovery lists these ways. Asked each time. Absent: they do not. */
  readonly hasConnections?: () => boolean
  /** What servers of users answer for; their requests are served by an extra route. */
  readonly aggregated?: AggregatedCatalog
  /** Metrics of what else runs in this process, in the text format. */
  readonly moreMetrics?: () => Promise<string>
  /** Told of every request when it is over. */
  readonly audit?: (record: AuditRecord) => void
  /** Asked before a request is carried out. Throws, or rejects, when it is not to be, since it could not be told of. */
  readonly requireAudit?: RequireAudit | undefined
  /** Recognizes requests that are for another API behind this one; they are served by an extra route. */
  readonly readOnward?: (url: string) => Onward | undefined
  /** Whose turn requests are that are not simply their caller's. */
  readonly knownFlow?: KnownFlow
  /** Who has the places of administrators without being in their group. */
  readonly isAdministrator?: (exchange: Exchange) => boolean
  /** Lets people sign in by a browser. */
  readonly sessions?: Sessions
  /** Lets people sign in by an identity provider. */
  readonly signOn?: SignOn
  /** Absent: requests are not traced. */
  readonly tracing?: RequestTracing
  /** Answers requests for public pages, before authentication. */
  readonly pages?: PipelineStep
}

/** How people stay signed in. */
export interface Sessions {
  /** Who the two halves stand for together. */
  authenticate(halves: SessionHalves, source: TokenSource): AuthenticationResult | Promise<AuthenticationResult>
  /** Starts a session for a user who has proven who they are. */
  begin(start: SessionStart): Promise<BegunSession>
  /** The same for a user who has signed in at an identity provider. */
  beginSignedOn(entered: EnteredUser, source: TokenSource): Promise<BegunSession>
  /** An access key for a program of such a user. */
  issueSignedOn(entered: EnteredUser, source: TokenSource): Promise<IssuedKey>
  /** A machine that was let in is listed, and ends with the sessions of its user, before it has come for its key. */
  announce(entered: EnteredUser, machine: AnnouncedMachine): Promise<AnnouncedKey>
  /** An access key for a machine whose token was exchanged. Undefined: its owner is not there, is locked, or has too many. */
  issueForMachine(machine: ExchangedToken): Promise<MachineKey | undefined>
  /** Ends the sessions of a user who has signed out at the provider. Returns how many. */
  endSignedOn(logout: SignOnLogout): Promise<number>
  /** Ends the session by which a request came. */
  end(credential: Pick<Credential, 'keyName' | 'keyUid'>): Promise<void>
  /** Undefined: it has no end. */
  expiresAtMs(credential: Credential): number | undefined
}

/** A user of the platform, by what an identity provider said. */
export interface EnteredUser {
  readonly user: string
  readonly signedOn: SignedOn
  /** The machine that the user has let in, as it calls itself. Absent: the one that the user signed in on. */
  readonly machine?: string
  /** Absent: the user has let no other machine in. */
  readonly announced?: AnnouncedKey
}

/** A machine that was let in. */
export interface AnnouncedMachine {
  readonly machine: string
  readonly address: string
  /** How long it may take to come for its key. */
  readonly ttlSeconds: number
}

/** What stands for the key of such a machine until it comes for it. Its value is known to none. */
export interface AnnouncedKey {
  readonly keyName: string
  readonly keyUid: string
}

/** What the token of a machine leads to. */
export interface ExchangedToken {
  readonly owner: { readonly kind: 'user' | 'team'; readonly name: string }
  readonly scope?: AccessKeyScope
  readonly ttlSeconds: number
  /** Name of the TrustedIssuer. */
  readonly issuer: string
  /** Who the machine is there. */
  readonly subject: string
}

export interface MachineKey extends IssuedKey {
  readonly ttlSeconds: number
}

export interface IssuedKey {
  /** Handed out once, and not kept here. */
  readonly accessKey: string
  readonly keyName: string
}

/** Sign-in by identity providers. */
export interface SignOn {
  /** The pages and redirects under `/auth`, which read what strangers send by `readBody`. */
  pages(readBody: (exchange: Exchange, limit: BodyLimit) => Promise<Buffer>): PipelineStep
  /**
   * What a one-time code stands for; undefined when it stands for nothing, was used, or is not the caller's. Pending: its
   * user has not signed in yet.
   */
  redeem(code: RedeemedCode): Promise<EnteredUser | 'pending' | undefined>
  /** What the token of a machine leads to, from wherever it came. */
  exchange(token: string, address: string): Promise<ExchangeOutcome>
}

export type ExchangeOutcome =
  | { readonly outcome: 'exchanged'; readonly exchanged: ExchangedToken }
  /** Why is in the log alone. */
  | { readonly outcome: 'refused' }
  /** The issuer cannot be asked for its keys. */
  | { readonly outcome: 'away' }
  | { readonly outcome: 'too-many'; readonly retryAfterSeconds: number }

export interface RedeemedCode {
  readonly code: string
  /** What only the one who began the sign-in knows. */
  readonly verifier: string
  readonly use: 'session' | 'key'
}

export interface SessionStart {
  readonly user: UserInfo
  /** What the user was known by. */
  readonly token: string
  readonly source: TokenSource
}

export interface BegunSession {
  /** Handed out once, and not kept here. */
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

/** The user that the caller wants to be taken for; the caller itself when no header asks for it. */
export type Impersonate = (
  user: UserInfo,
  request: Request,
  authorizer: Authorizer,
  onward?: Onward,
) => UserInfo | Promise<UserInfo>

export interface HealthCheck {
  readonly name: string
  /** Throws, or rejects, when the check fails. The reason is logged and not shown, unless it is `Unhealthy`. */
  readonly check: () => void | Promise<void>
  /** What is wrong without being a reason to send requests elsewhere, or to start again. Told with the checks that passed. */
  readonly trouble?: () => string | undefined
  /** Absent: asked by all three endpoints. */
  readonly only?: readonly ('livez' | 'readyz' | 'healthz')[]
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
  /** With its quotes. */
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

/** One request, as an audit log tells it. Bodies and credentials are not part of it. */
export interface AuditedRequest {
  readonly auditId: string
  readonly verb: string
  readonly requestUri: string
  readonly user: UserInfo
  /** The access key of the request, if it is no longer valid, so that the user is unknown. */
  readonly refusedKey?: RefusedKey | undefined
  readonly impersonatedUser?: UserInfo | undefined
  readonly sourceAddress: string
  readonly userAgent: string
  /** Absent: this server itself. */
  readonly target?: RequestTarget | undefined
  /** A change behind this server that makes the object if it is not there, which takes the right to create it. */
  readonly mayCreate?: boolean | undefined
  /** What is asked of the target, as the authorization sees it. Absent where that is an object. */
  readonly path?: string | undefined
  readonly objectRef?: AuditedObject | undefined
  readonly receivedAtMs: number
  /** Why it was allowed or refused, if a reason was given. */
  readonly decision: string
  /** Neither the authorization nor anything after it refused. */
  readonly isAuthorized: boolean
  /** Which part refused it. Absent: a part without a name, such as the rule that an object cannot be deleted. */
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

/** The same when it is over. */
export interface AuditRecord extends AuditedRequest {
  readonly code: number
  readonly finishedAtMs: number
  /** What admission has put on record. Absent: nothing. */
  readonly annotations?: AnnotationRecord | undefined
}

export type RequireAudit = (request: AuditedRequest) => undefined | Promise<undefined>
