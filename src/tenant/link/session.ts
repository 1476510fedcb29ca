import {
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Duplex } from 'node:stream'
import { callsPath, clusterRoleOfGroup, controlPath, type TenantMessage } from '../../api/link.ts'
import type { Clock } from '../../base/clock.ts'
import { onLines } from '../../base/json/lines.ts'
import type { CallReply } from '../../server/transport/incoming-call.ts'
import { AnsweredCalls } from './answered-calls.ts'
import type { LinkCall, LinkProblem, VirtualApi } from './contract.ts'
import { endedBy } from './problem.ts'
import { refusal, refuse } from './refuse.ts'

const pingIntervalMs = 10_000
const windowBytes = 1024 * 1024
const sessionWindowBytes = 8 * 1024 * 1024
const maxStreams = 20_000
const stopGraceMs = 3_000
const lastWordsMs = 100

export interface LinkSessionOptions {
  readonly connection: Duplex
  readonly virtualApi: VirtualApi
  readonly clock: Clock
  /** The platform does not take the new key; the link goes on with the old one. */
  readonly onRefusedKey: (problem: LinkProblem) => void
  readonly onEnd: (problem: LinkProblem) => void
}

/** An open link: the platform asks, and the virtual cluster answers. */
export class LinkSession {
  readonly #options: LinkSessionOptions
  readonly #session: ServerHttp2Session
  readonly #ping: NodeJS.Timeout
  readonly #bound = new Map<string, Promise<void>>()
  #control: ServerHttp2Stream | undefined
  #calls: AnsweredCalls | undefined
  #waiting: TenantMessage[] = []
  #end: LinkProblem | undefined
  #lastSeenMs: number
  #openStreams = 0
  readonly #onIdle: (() => void)[] = []

  constructor(options: LinkSessionOptions) {
    this.#options = options
    this.#lastSeenMs = options.clock.now()
    this.#session = openSession(options.connection)
    this.#session.on('stream', (stream, headers, _flags, rawHeaders?: unknown) =>
      this.#take(stream, headers, Array.isArray(rawHeaders) ? rawHeaders.map(String) : []),
    )
    this.#session.once('close', () => this.#closed())
    this.#ping = setInterval(() => this.#checkPeer(), pingIntervalMs).unref()
  }

  /** Another key for the same link. */
  authenticate(accessKey: string): void {
    this.#say({ type: 'authenticate', accessKey })
  }

  async stop(): Promise<void> {
    if (this.#session.destroyed) return
    this.#say({ type: 'stopping' })
    await Promise.race([this.#idle(), pause(stopGraceMs)])
    await pause(lastWordsMs)
    this.destroy()
  }

  /**
   * By the connection and not by the session: that one, destroyed while a stream has something to send, never returns
   * from Node's own code.
   */
  destroy(): void {
    this.#options.connection.destroy()
  }

  #say(message: TenantMessage): void {
    if (this.#control === undefined) this.#waiting.push(message)
    else if (!this.#control.destroyed) this.#control.write(`${JSON.stringify(message)}\n`)
  }

  #take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: readonly string[]): void {
    this.#lastSeenMs = this.#options.clock.now()
    stream.on('error', () => {})
    if (headers['impersonate-user'] === undefined) {
      this.#takeOwn(stream, headers[':path'])
      return
    }
    this.#openStreams += 1
    stream.once('close', this.#streamClosed)
    const serve = () => this.#options.virtualApi.serve({ stream, headers, rawHeaders })
    const binding = this.#bindRolesIn(rawHeaders)
    if (binding === undefined) serve()
    else binding.then(serve, () => refuse(stream, 503, ...unboundRoles))
  }

  #takeCall(call: LinkCall, reply: CallReply): () => void {
    const { virtualApi } = this.#options
    if (call.headers['impersonate-user'] === undefined || virtualApi.serveCall === undefined) {
      reply.whole(400, json, refusal(400, ...unknownPerson))
      return () => {}
    }
    const binding = this.#bindRolesIn(call.rawHeaders)
    if (binding === undefined) return virtualApi.serveCall(call, reply)
    let giveUp = () => {}
    binding.then(
      () => {
        giveUp = virtualApi.serveCall?.(call, reply) ?? giveUp
      },
      () => reply.whole(503, json, refusal(503, ...unboundRoles)),
    )
    return () => giveUp()
  }

  /** What the platform asks for itself. A request for somebody never gets here, whatever path it has. */
  #takeOwn(stream: ServerHttp2Stream, path: string | undefined): void {
    if (path === controlPath && this.#control === undefined) this.#openControl(stream)
    else if (path === callsPath && this.#isTakingCalls) this.#openCalls(stream)
    else if (this.#calls !== undefined && path?.startsWith(`${callsPath}/`))
      this.#calls.sendOn(path.slice(callsPath.length + 1), stream)
    else refuse(stream, 400, ...unknownPerson)
  }

  get #isTakingCalls(): boolean {
    return this.#calls === undefined && this.#options.virtualApi.serveCall !== undefined
  }

  #openCalls(stream: ServerHttp2Stream): void {
    stream.respond({ ':status': 200 })
    this.#calls = new AnsweredCalls({
      stream,
      serve: (call, reply) => this.#takeCall(call, reply),
      onBegin: () => {
        this.#openStreams += 1
      },
      onEnd: this.#streamClosed,
    })
  }

  /** Undefined when nothing has to be done first. */
  #bindRolesIn(rawHeaders: readonly string[]): Promise<void> | undefined {
    const unbound = rolesIn(rawHeaders).filter((role) => !this.#isBound(role))
    return unbound.length === 0 ? undefined : this.#bind(unbound)
  }

  #isBound(role: string): boolean {
    return this.#bound.get(role) === bound
  }

  async #bind(roles: readonly string[]): Promise<void> {
    await Promise.all(roles.map((role) => this.#bound.get(role) ?? this.#bindOne(role)))
  }

  #bindOne(role: string): Promise<void> {
    const binding = this.#options.virtualApi.bindClusterRole(role).then(
      () => {
        this.#bound.set(role, bound)
      },
      (error) => {
        this.#bound.delete(role)
        throw error
      },
    )
    this.#bound.set(role, binding)
    return binding
  }

  #openControl(stream: ServerHttp2Stream): void {
    stream.respond({ ':status': 200 })
    this.#control = stream
    for (const message of this.#waiting.splice(0)) this.#say(message)
    onLines(stream, ({ type, reason, message }) => {
      if (type === 'ended') this.#end = endedBy(reason, message)
      else if (type === 'refused') this.#options.onRefusedKey(endedKey(reason, message))
    })
  }

  #checkPeer(): void {
    const { clock } = this.#options
    if (clock.now() - this.#lastSeenMs > 2.5 * pingIntervalMs) {
      this.destroy()
      return
    }
    if (this.#session.destroyed) return
    this.#session.ping((error) => {
      if (error === null) this.#lastSeenMs = clock.now()
    })
  }

  readonly #streamClosed = (): void => {
    this.#openStreams -= 1
    if (this.#openStreams === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  async #idle(): Promise<void> {
    if (this.#openStreams > 0) await new Promise<void>((resolve) => this.#onIdle.push(resolve))
  }

  #closed(): void {
    clearInterval(this.#ping)
    this.#options.onEnd(this.#end ?? { reason: 'ConnectionLost', message: 'the connection to the platform was lost' })
  }
}

const bound = Promise.resolve()
const json = ['content-type', 'application/json'] as const
const unboundRoles = ['ServiceUnavailable', 'roles could not be bound'] as const
const unknownPerson = ['BadRequest', 'a request over the link has to say whom it is for'] as const

/** The connection has changed sides: whoever called is the server now. */
function openSession(connection: Duplex): ServerHttp2Session {
  const session = performServerHandshake(connection, {
    settings: { initialWindowSize: windowBytes, maxConcurrentStreams: maxStreams, maxHeaderListSize: 65_536 },
    maxSessionMemory: 256,
  })
  session.on('error', () => connection.destroy())
  session.setLocalWindowSize(sessionWindowBytes)
  return session
}

function rolesIn(rawHeaders: readonly string[]): readonly string[] {
  const roles: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index] !== 'impersonate-group') continue
    const role = clusterRoleOfGroup(rawHeaders[index + 1] ?? '')
    if (role !== undefined) roles.push(role)
  }
  return roles
}

function endedKey(reason: unknown, message: unknown): LinkProblem {
  const known = reason === 'RoleMissing' || reason === 'NotAllowed' ? reason : 'KeyRefused'
  return { reason: known, message: typeof message === 'string' ? message : 'the platform refuses the access key' }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
