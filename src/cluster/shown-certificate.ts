import type { Log } from '../base/log.ts'
import type { ServerTls } from './server-tls.ts'

const lookMs = 60_000

export interface ShownCertificateOptions {
  /** Reads or makes the certificate that counts now; `moreNames` are those that `answerAs` was told. */
  readonly read: (moreNames: readonly string[]) => Promise<ServerTls>
  readonly log: Log
}

/**
 * The certificate of a server while it runs: one of our own is made anew before it ends, and files that were replaced,
 * as Secrets are, are read again. What cannot be read leaves the certificate as it was.
 */
export class ShownCertificate {
  readonly #options: ShownCertificateOptions
  readonly #moreNames = new Set<string>()
  #shown: ServerTls
  #use: (tls: ServerTls) => Promise<void> = async () => {}
  #timer: NodeJS.Timeout | undefined
  /** One look after the other: each may write files. */
  #looking: Promise<void> = Promise.resolve()

  private constructor(options: ShownCertificateOptions, shown: ServerTls) {
    this.#options = options
    this.#shown = shown
  }

  static async open(options: ShownCertificateOptions): Promise<ShownCertificate> {
    return new ShownCertificate(options, await options.read([]))
  }

  get shown(): ServerTls {
    return this.#shown
  }

  /** `use` is called with each further certificate. */
  start(use: (tls: ServerTls) => Promise<void>): void {
    this.#use = use
    this.#timer = setInterval(() => void this.look(), lookMs).unref()
  }

  /** Clients call the server that, too. A certificate that was given stays as it is. */
  answerAs(name: string): Promise<void> {
    this.#moreNames.add(name)
    return this.#inTurn(() => this.#renew())
  }

  /** Resolves when the certificate is the one to show now. */
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
    const { key, certificate, authority } = this.#shown
    if (next.certificate === certificate && next.key === key && next.authority === authority) return
    await this.#use(next)
    this.#shown = next
    this.#options.log.info('the server shows another certificate from now on')
  }
}
