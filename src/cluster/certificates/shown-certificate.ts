import type { Log } from '../../base/log.ts'
import type { ServerTls } from './server-tls.ts'

const lookMs = 60_000

/** The certificate of a server, and the authority of its callers' certificates. */
export interface ShownTls extends ServerTls {
  /** PEM. Absent: none. */
  readonly clientCa?: string | undefined
}

export interface ShownCertificateOptions {
  /** Reads or makes the current certificate; `moreNames` were added with `answerAs`. */
  readonly read: (moreNames: readonly string[]) => Promise<ShownTls>
  readonly log: Log
}

/**
 * The certificate of a running server: our own is renewed before it ends, and replaced files, such as those of Secrets,
 * are read again. If they cannot be read, the certificate stays unchanged.
 */
export class ShownCertificate {
  readonly #options: ShownCertificateOptions
  readonly #moreNames = new Set<string>()
  #shown: ShownTls
  #use: (tls: ShownTls) => Promise<void> = async () => {}
  #timer: NodeJS.Timeout | undefined
  /** One check after the other, because each may write files. */
  #looking: Promise<void> = Promise.resolve()

  private constructor(options: ShownCertificateOptions, shown: ShownTls) {
    this.#options = options
    this.#shown = shown
  }

  static async open(options: ShownCertificateOptions): Promise<ShownCertificate> {
    return new ShownCertificate(options, await options.read([]))
  }

  get shown(): ShownTls {
    return this.#shown
  }

  /** `use` is called with each new certificate. */
  start(use: (tls: ShownTls) => Promise<void>): void {
    this.#use = use
    this.#timer = setInterval(() => void this.look(), lookMs).unref()
  }

  /** Clients may also use this name. A given certificate stays unchanged. */
  answerAs(name: string): Promise<void> {
    this.#moreNames.add(name)
    return this.#inTurn(() => this.#renew())
  }

  /** Resolves when the certificate is up to date. */
  look(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#renew()
      } catch (error) {
        this.#options.log.warn('the certificate stays as it is: the next one cannot be used', { error })
      }
    })
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.#looking.then(act)
    this.#looking = done.catch(() => {})
    return done
  }

  async #renew(): Promise<void> {
    const next = await this.#options.read([...this.#moreNames])
    const { key, certificate, authority, clientCa } = this.#shown
    const isSame = next.certificate === certificate && next.key === key && next.authority === authority
    if (isSame && next.clientCa === clientCa) return
    await this.#use(next)
    this.#shown = next
    if (!isSame) this.#options.log.info('the server shows another certificate from now on')
    if (next.clientCa !== clientCa) this.#options.log.info('the server trusts another authority of users from now on')
  }
}
