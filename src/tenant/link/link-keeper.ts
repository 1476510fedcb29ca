import type { ServerEndpoint } from '../../client/connection/connect.ts'
import type { PlatformKey } from '../platform-key/contract.ts'
import { leadToSamePlace } from '../platform-key/same-place.ts'
import { countedAttempts, linkPauseMs, noAttempts } from './backoff.ts'
import type { LinkProblem, LinkState, TenantLink, TenantLinkOptions } from './contract.ts'
import { endpointOfKey } from './endpoint-of-key.ts'
import { type OpenedLink, openLink } from './open-link.ts'
import { problemOf } from './problem.ts'
import { isUnknown, type KnownAs, Registration } from './registration.ts'
import { LinkSession } from './session.ts'

type Waiting = Extract<LinkState, { state: 'waiting' }>

/** Keeps the virtual cluster linked to its platform. Whatever happens there, it only retries. */
export function startTenantLink(options: TenantLinkOptions): TenantLink {
  return new LinkKeeper(options)
}

class LinkKeeper implements TenantLink {
  readonly #options: TenantLinkOptions
  readonly #registration: Registration
  readonly #running: Promise<void>
  #key: PlatformKey
  #state: LinkState = { state: 'connecting' }
  #session: LinkSession | undefined
  /** A link that the platform asked to leave: it stays until another is open, or the platform ends it. */
  #leaving: LinkSession | undefined
  /** The state to report if that link ends before another is open. */
  #untold: Waiting | undefined
  /** Whether the restart of the platform was reported; it is reported once. */
  #isTold = false
  #isStopped = false
  #isLeaving = false
  #wake = (): void => {}
  #isWoken = false

  constructor(options: TenantLinkOptions) {
    this.#options = options
    this.#key = options.key
    this.#registration = new Registration(options)
    this.#running = this.#run()
  }

  get state(): LinkState {
    return this.#state
  }

  takeKey(key: PlatformKey): void {
    const before = this.#key
    this.#key = key
    if (this.#session === undefined) this.#wakeUp()
    else this.#carryOn(this.#session, before)
  }

  leave(): void {
    this.#isLeaving = true
    this.#session?.leave()
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return this.#running
    this.#isStopped = true
    this.#wakeUp()
    await Promise.all([this.#session?.stop(), this.#leaving?.stop()])
    await this.#running
    this.#become({ state: 'stopped' })
  }

  async #run(): Promise<void> {
    const { elapsed, random } = this.#options
    let attempts = noAttempts
    while (!this.#isStopped) {
      if (attempts.restart === undefined) this.#become({ state: 'connecting' })
      const startMs = elapsed.now()
      const problem = await this.#linkOnce().catch(problemOf)
      if (this.#isStopped) return
      this.#registration.ended(problem)
      const nowMs = elapsed.now()
      const counted = countedAttempts(attempts, { problem, tookMs: nowMs - startMs, nowMs })
      const retryMs = linkPauseMs(counted, problem.reason, random)
      const waiting: Waiting = { state: 'waiting', problem, retryMs }
      if (this.#leaving !== undefined) this.#untold = waiting
      else if (!(this.#isTold && counted === attempts)) this.#tell(waiting)
      attempts = counted
      await this.#pause(retryMs)
    }
  }

  /** Resolves with the reason when the link that it opened has ended. */
  async #linkOnce(): Promise<LinkProblem> {
    const { identity, env } = this.#options
    const key = this.#key
    const endpoint = endpointOfKey(key, env)
    const userAgent = `tenant/${identity.version.tenant}`
    const kept = this.#registration.kept(key)
    if (kept !== undefined) {
      const opened = await this.#open(kept, key, endpoint, userAgent).catch(thrownUnless(isUnknown))
      if (opened !== undefined) return this.#serve(opened.connection, key, linkedAs(kept))
    }
    const knownAs = await this.#registration.ask(key, endpoint, userAgent)
    if (this.#isStopped) return { reason: 'ConnectionLost', message: 'stopped' }
    const { connection } = await this.#open(knownAs, key, endpoint, userAgent)
    return this.#serve(connection, key, linkedAs(knownAs))
  }

  /** If the platform sends its license with the link, the next link needs no registration. */
  async #open(knownAs: KnownAs, key: PlatformKey, endpoint: ServerEndpoint, userAgent: string): Promise<OpenedLink> {
    const { processName } = this.#options
    const { path, proof } = knownAs
    const opened = await openLink({ endpoint, path, accessKey: key.accessKey, proof, processName, userAgent })
    if (opened.license.said === 'nothing') this.#registration.forget()
    else this.#registration.keep(key, knownAs)
    if (opened.license.said === 'license') this.#options.onLicense?.(opened.license.license)
    return opened
  }

  #serve(
    connection: OpenedLink['connection'],
    key: PlatformKey,
    linked: Extract<LinkState, { state: 'linked' }>,
  ): Promise<LinkProblem> {
    const { virtualApi, elapsed, log } = this.#options
    return new Promise((resolve) => {
      const session = new LinkSession({
        connection,
        virtualApi,
        elapsed,
        onRefusedKey: (problem) => log.warn('the platform does not take the new access key', { ...problem }),
        onLeave: (problem) => {
          if (this.#session !== session) return
          this.#leaving?.destroy()
          this.#leaving = session
          this.#session = undefined
          log.info('the platform asks to be linked elsewhere', { ...problem })
          resolve(problem)
        },
        onEnd: (problem) => {
          if (this.#session === session) this.#session = undefined
          if (this.#leaving === session) this.#hasLeft()
          resolve(problem)
        },
      })
      this.#session = session
      this.#isTold = false
      void this.#leaving?.stop()
      log.info('linked to the platform', { project: linked.project, name: linked.name })
      this.#become(linked)
      if (this.#isLeaving) session.leave()
      if (this.#isStopped) void session.stop()
      else if (key !== this.#key) this.#carryOn(session, key)
    })
  }

  /** The key is sent only to the platform that it is for. */
  #carryOn(session: LinkSession, openedWith: PlatformKey): void {
    if (leadToSamePlace(openedWith, this.#key)) session.authenticate(this.#key.accessKey)
    else session.destroy()
  }

  #hasLeft(): void {
    this.#leaving = undefined
    if (this.#session === undefined && !this.#isStopped && this.#untold !== undefined) this.#tell(this.#untold)
  }

  #tell(waiting: Waiting): void {
    const { problem, retryMs } = waiting
    this.#isTold = true
    this.#options.log.warn('not linked to the platform', { ...problem, retryMs })
    this.#become(waiting)
  }

  #become(state: LinkState): void {
    this.#state = state
    this.#options.onState?.(state)
  }

  #wakeUp(): void {
    this.#isWoken = true
    this.#wake()
  }

  async #pause(ms: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isWoken = false
  }
}

function linkedAs({ project, name }: KnownAs): Extract<LinkState, { state: 'linked' }> {
  return { state: 'linked', project, name }
}

function thrownUnless(isExpected: (error: unknown) => boolean): (error: unknown) => undefined {
  return (error) => {
    if (!isExpected(error)) throw error
  }
}
