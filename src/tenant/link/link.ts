import { defaultProject } from '../../api/management/default-project.ts'
import { type ApiClient, createApiClient } from '../../client/command/api-client.ts'
import { createHttpClient } from '../../client/command/http-client.ts'
import type { PlatformKey } from '../platform-key/contract.ts'
import { countedAttempts, linkPauseMs, noAttempts } from './backoff.ts'
import type { LinkProblem, LinkState, TenantLink, TenantLinkOptions } from './contract.ts'
import { endpointOfKey } from './endpoint-of-key.ts'
import { openLink } from './open-link.ts'
import { problemOf } from './problem.ts'
import { register, type WantedRegistration } from './register.ts'
import { LinkSession } from './session.ts'

type Waiting = Extract<LinkState, { state: 'waiting' }>

const limits = { answerTimeoutMs: 15_000, maxAnswerBytes: 1024 * 1024 }

/** Keeps the virtual cluster linked to its platform. Whatever happens there, it only ever tries again. */
export function startTenantLink(options: TenantLinkOptions): TenantLink {
  return new LinkKeeper(options)
}

class LinkKeeper implements TenantLink {
  readonly #options: TenantLinkOptions
  readonly #running: Promise<void>
  #key: PlatformKey
  #state: LinkState = { state: 'connecting' }
  #session: LinkSession | undefined
  /** One that the platform has asked to leave: it goes on until another is open, or the platform ends it. */
  #leaving: LinkSession | undefined
  /** What to tell if that one ends before another is open. */
  #untold: Waiting | undefined
  /** That the platform restarts is said once. */
  #isTold = false
  #isStopped = false
  #isLeaving = false
  #wake = (): void => {}
  #isWoken = false

  constructor(options: TenantLinkOptions) {
    this.#options = options
    this.#key = options.key
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
    const { clock, random } = this.#options
    let attempts = noAttempts
    while (!this.#isStopped) {
      if (attempts.restart === undefined) this.#become({ state: 'connecting' })
      const startMs = clock.now()
      const problem = await this.#linkOnce().catch(problemOf)
      if (this.#isStopped) return
      const nowMs = clock.now()
      const counted = countedAttempts(attempts, { problem, tookMs: nowMs - startMs, nowMs })
      const retryMs = linkPauseMs(counted, problem.reason, random)
      const waiting: Waiting = { state: 'waiting', problem, retryMs }
      if (this.#leaving !== undefined) this.#untold = waiting
      else if (!(this.#isTold && counted === attempts)) this.#tell(waiting)
      attempts = counted
      await this.#pause(retryMs)
    }
  }

  /** Resolves when the link that it opened is over, with the reason. */
  async #linkOnce(): Promise<LinkProblem> {
    const { identity, env, log, processName } = this.#options
    const key = this.#key
    const endpoint = endpointOfKey(key, env)
    const userAgent = `tenant/${identity.version.tenant}`
    const http = createHttpClient(endpoint, limits)
    const client = createApiClient({ http, token: key.accessKey, userAgent, onWarning: (text) => log.warn(text) })
    const wanted = { project: key.project ?? identity.project ?? defaultProject, name: key.name ?? identity.name }
    const { path, project, name, license, proof } = await this.#register(client, wanted).finally(() => client.close())
    if (license !== undefined) this.#options.onLicense?.(license)
    if (this.#isStopped) return { reason: 'ConnectionLost', message: 'stopped' }
    const connection = await openLink({ endpoint, path, accessKey: key.accessKey, proof, processName, userAgent })
    return this.#serve(connection, key, { state: 'linked', project, name })
  }

  /** A new proof is kept before it is used: whatever ends now, the next attempt has it. */
  async #register(client: ApiClient, wanted: WantedRegistration) {
    const { identity, proofs } = this.#options
    const kept = await proofs.read()
    const isOfProject = kept?.project === wanted.project || kept?.project === ''
    const known = isOfProject ? { proof: kept.proof } : {}
    const registered = await register(client, identity, { ...wanted, ...known })
    const { project, name, newProof } = registered
    if (newProof === undefined) return { ...registered, proof: known.proof }
    const { proof } = await proofs.keep({ project, name, proof: newProof })
    return { ...registered, proof }
  }

  #serve(
    connection: Awaited<ReturnType<typeof openLink>>,
    key: PlatformKey,
    linked: Extract<LinkState, { state: 'linked' }>,
  ): Promise<LinkProblem> {
    const { virtualApi, clock, log } = this.#options
    return new Promise((resolve) => {
      const session = new LinkSession({
        connection,
        virtualApi,
        clock,
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

  /** The key is said to the platform that it is for, and to no other. */
  #carryOn(session: LinkSession, openedWith: PlatformKey): void {
    if (isSamePlace(openedWith, this.#key)) session.authenticate(this.#key.accessKey)
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

function isSamePlace(left: PlatformKey, right: PlatformKey): boolean {
  return (
    left.url === right.url &&
    left.project === right.project &&
    left.name === right.name &&
    left.insecure === right.insecure &&
    left.certificateAuthority === right.certificateAuthority
  )
}
