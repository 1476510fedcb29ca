import {
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { isRefusal } from '../../api/error.ts'
import { controlPath } from '../../api/link.ts'
import { controlLimits, linkLimits } from '../../api/link-limits.ts'
import type { Clock } from '../../base/clock.ts'
import { LatestOnly } from '../../base/concurrency/latest-only.ts'
import { OpenStreams } from '../../client/forward/open-streams.ts'
import { PeerWatch } from '../../client/forward/peer-watch.ts'
import { windDown } from '../../client/forward/wind-down.ts'
import { keepNodeFromClosing } from '../../server/transport/http2/http2-endings.ts'
import type { LinkProblem, VirtualApi } from './contract.ts'
import { ControlStream } from './control-stream.ts'
import { refuse } from './refuse.ts'
import { RoleBinder } from './role-binder.ts'

export interface LinkSessionOptions {
  readonly connection: Duplex
  readonly virtualApi: VirtualApi
  /** For durations. */
  readonly elapsed: Clock
  /** The platform refuses the new key; the link continues with the old one. */
  readonly onRefusedKey: (problem: LinkProblem) => void
  /** The platform asks to link elsewhere; until then this link continues. */
  readonly onLeave: (problem: LinkProblem) => void
  /** The link is over: the connection is closed, or about to be. May be called twice. */
  readonly onEnd: (problem: LinkProblem) => void
}

const stopGraceMs = 3_000
/** Delay after the message that the key was revoked, if the platform has not closed the connection by then. */
const closeMs = 2_000
const betweenKeysMs = 1_000 / controlLimits.perSecond
/** More than the platform opens. */
const maxStreams = 2 * linkLimits.maxOpenStreams

/** An open link: the platform sends requests, and the virtual cluster answers. */
export class LinkSession {
  readonly #options: LinkSessionOptions
  readonly #session: ServerHttp2Session
  readonly #peer: PeerWatch
  readonly #control: ControlStream
  readonly #roles: RoleBinder
  readonly #streams = new OpenStreams()
  readonly #keys = new LatestOnly<string>(async (accessKey) => {
    this.#control.say({ type: 'authenticate', accessKey })
    await pause(betweenKeysMs, undefined, { ref: false })
  })
  #hasLeft = false
  #end: LinkProblem = { reason: 'ConnectionLost', message: 'the connection to the platform was lost' }

  constructor(options: LinkSessionOptions) {
    const { connection, virtualApi, elapsed, onRefusedKey } = options
    this.#options = options
    this.#roles = new RoleBinder((role) => virtualApi.bindClusterRole(role))
    this.#control = new ControlStream({
      onRefusedKey,
      onEnded: (problem) => {
        this.#end = problem
        if (problem.returnWithinMs !== undefined) options.onLeave(problem)
        else if (problem.reason === 'KeyRevoked') this.#beOver()
      },
      onExcess: (problem) => {
        this.#end = problem
        this.destroy()
      },
      now: () => elapsed.now(),
    })
    this.#session = openSession(connection)
    this.#peer = new PeerWatch({
      session: this.#session,
      elapsed,
      quietMs: linkLimits.tenantQuietMs,
      onSilence: () => this.destroy(),
    })
    this.#session.on('ping', this.#peer.seen)
    this.#session.once('goaway', () => setImmediate(() => this.destroy()))
    this.#session.on('stream', (stream, headers, _flags, rawHeaders?: unknown) =>
      this.#take(stream, headers, Array.isArray(rawHeaders) ? rawHeaders.map(String) : []),
    )
    this.#session.once('close', () => this.#closed())
  }

  /**
   * Sends another key for the same link. Of several in a row, only the latest is sent, so that the platform never gets
   * too many.
   */
  authenticate(accessKey: string): void {
    this.#keys.add(accessKey)
  }

  /** Announces that this process stops soon: the platform then uses another linked process. */
  leave(): void {
    if (this.#hasLeft || this.#session.destroyed) return
    this.#hasLeft = true
    this.#control.say({ type: 'stopping' })
  }

  async stop(): Promise<void> {
    if (this.#session.destroyed) return
    this.leave()
    await windDown(this.#streams, stopGraceMs)
    this.destroy()
  }

  /**
   * Destroys the connection, not the session: destroying a session while a stream has data to send never returns from
   * Node's own code.
   */
  destroy(): void {
    this.#options.connection.destroy()
  }

  #take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]): void {
    this.#peer.seen()
    stream.on('error', () => {})
    if (headers['impersonate-user'] === undefined) {
      this.#takeOwn(stream, headers[':path'])
      return
    }
    if (!namesOneUser(rawHeaders)) {
      refuse(stream, 400, 'BadRequest', 'a request over the link must name one user')
      return
    }
    this.#streams.begin()
    stream.once('close', this.#streams.end)
    const serve = () => this.#options.virtualApi.serve({ stream, headers, rawHeaders })
    const binding = this.#roles.bindRolesIn(rawHeaders)
    if (binding === undefined) serve()
    else binding.then(serve, (error) => refuse(stream, 503, 'ServiceUnavailable', whyUnbound(error)))
  }

  /** Requests of the platform itself. A request that impersonates a user never gets here, whatever its path. */
  #takeOwn(stream: ServerHttp2Stream, path: string | undefined): void {
    if (path === controlPath && !this.#control.isOpen) this.#control.open(stream)
    else refuse(stream, 400, 'BadRequest', 'a request over the link must name its target')
  }

  /** The platform closes the connections of a key one after the other, which may take a while if there are many. */
  #beOver(): void {
    this.#options.onEnd(this.#end)
    setTimeout(() => this.destroy(), closeMs).unref()
  }

  #closed(): void {
    this.#peer.stop()
    this.#options.onEnd(this.#end)
  }
}

/** Reports that the virtual cluster is still starting; other failures there are not for callers. */
function whyUnbound(error: unknown): string {
  return isRefusal(error, 503) ? error.message : 'roles could not be bound'
}

/** Without a name, an API server would take the request for one of the administrator; of two, it may take either. */
function namesOneUser(rawHeaders: readonly string[]): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1] === 'impersonate-user')
  return names.length === 1 && names[0] !== ''
}

/** The roles on this connection are reversed: the side that opened it is now the server. */
function openSession(connection: Duplex): ServerHttp2Session {
  const { windowBytes, sessionWindowBytes, maxHeaderBytes } = linkLimits
  const session = performServerHandshake(connection, {
    maxSessionMemory: linkLimits.maxTenantMemory,
    settings: { initialWindowSize: windowBytes, maxConcurrentStreams: maxStreams, maxHeaderListSize: maxHeaderBytes },
  })
  keepNodeFromClosing(session)
  session.on('error', () => connection.destroy())
  session.setLocalWindowSize(sessionWindowBytes)
  return session
}
