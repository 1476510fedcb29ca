import { Metadata } from '@grpc/grpc-js'
import { CallFailure } from './call-failure.ts'
import type { ByteStream, EtcdMember } from './endpoint.ts'
import { authenticateMethod, type EtcdMethod } from './methods.ts'
import type { EtcdTokenSource } from './token.ts'

export interface EtcdConnectionOptions {
  readonly endpoints: readonly EtcdMember[]
  readonly tokens: EtcdTokenSource
  /** Timeout of one call; a read divides it among the endpoints. Connecting may take the same time again. */
  readonly timeoutMs: number
}

/** `repeatable`: repeating the call does no harm, so a lost call is retried at another endpoint. */
export type Repetition = 'repeatable' | 'once'

/** Calls whichever endpoint works. One that failed is tried last from then on. */
export class EtcdConnection {
  readonly #options: EtcdConnectionOptions
  #endpoints: readonly EtcdMember[]

  constructor(options: EtcdConnectionOptions) {
    this.#options = options
    this.#endpoints = options.endpoints
  }

  async call<Request, Response>(
    method: EtcdMethod<Request, Response>,
    request: Request,
    repetition: Repetition,
    signal?: AbortSignal,
  ): Promise<Response> {
    // Encoded immediately: the caller may reuse its buffers as soon as this returns.
    const bytes = method.encode(request)
    let failure = new CallFailure('not-sent', this.#unreachable())
    for (const endpoint of this.#endpoints) {
      signal?.throwIfAborted()
      try {
        return await this.#callEndpoint(endpoint, method, bytes, { repetition, signal })
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error
        if (error.kind === 'not-sent' || error.kind === 'broken') this.#askLast(endpoint)
        if (!isElsewherePossible(error, repetition)) throw error
        if (error.kind === 'broken') failure = error
      }
    }
    throw failure
  }

  /** Opens a stream to a connected endpoint. */
  async stream(path: string): Promise<ByteStream> {
    for (const endpoint of this.#endpoints) {
      if (await endpoint.connect(this.#attemptMs())) {
        return endpoint.stream(path, metadataWith(await this.#token(endpoint)))
      }
      this.#askLast(endpoint)
    }
    throw new CallFailure('not-sent', this.#unreachable())
  }

  /** Called when a stream is refused: the next one gets a new token. */
  forgetToken(): void {
    this.#options.tokens.forget()
  }

  close(): void {
    for (const endpoint of this.#options.endpoints) endpoint.close()
  }

  async #callEndpoint<Request, Response>(
    endpoint: EtcdMember,
    method: EtcdMethod<Request, Response>,
    request: Buffer,
    options: { readonly repetition: Repetition; readonly signal: AbortSignal | undefined },
  ): Promise<Response> {
    if (!(await endpoint.connect(this.#attemptMs()))) throw new CallFailure('not-sent', this.#unreachable())
    const timeoutMs = options.repetition === 'once' ? this.#options.timeoutMs : this.#attemptMs()
    const send = async (token: Promise<string>) => {
      const metadata = metadataWith(await token)
      return endpoint.unary(method, request, { metadata, timeoutMs, signal: options.signal })
    }
    const { tokens } = this.#options
    const token = this.#token(endpoint)
    try {
      return await send(token)
    } catch (error) {
      if (!(error instanceof CallFailure) || error.kind !== 'token' || !tokens.canRenew) throw error
      tokens.forget(token)
      return send(this.#token(endpoint))
    }
  }

  #token(endpoint: EtcdMember): Promise<string> {
    return this.#options.tokens.get((request) =>
      endpoint.unary(authenticateMethod, authenticateMethod.encode(request), {
        metadata: metadataWith(''),
        timeoutMs: this.#attemptMs(),
        signal: undefined,
      }),
    )
  }

  #askLast(endpoint: EtcdMember): void {
    this.#endpoints = [...this.#endpoints.filter((other) => other !== endpoint), endpoint]
  }

  #attemptMs(): number {
    const share = this.#options.timeoutMs / this.#options.endpoints.length
    return Math.max(share, Math.min(this.#options.timeoutMs, minimumAttemptMs))
  }

  #unreachable(): string {
    return `none of its endpoints can be reached (${this.#options.endpoints.map(({ address }) => address).join(', ')})`
  }
}

const minimumAttemptMs = 1_000

function isElsewherePossible(failure: CallFailure, repetition: Repetition): boolean {
  return failure.kind === 'not-sent' || (failure.kind === 'broken' && repetition === 'repeatable')
}

/**
 * With `hasleader`, a member that is cut off from the others fails the call immediately instead of keeping the caller
 * waiting.
 */
function metadataWith(token: string): Metadata {
  const metadata = new Metadata()
  metadata.set('hasleader', 'true')
  if (token !== '') metadata.set('token', token)
  return metadata
}
