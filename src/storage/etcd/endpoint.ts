import {
  type ChannelCredentials,
  Client,
  type ClientDuplexStream,
  type ClientOptions,
  connectivityState,
  type Metadata,
} from '@grpc/grpc-js'
import type { Clock } from '../../base/clock.ts'
import { CallFailure, failureFrom } from './call-failure.ts'
import type { EtcdMethod } from './methods.ts'

export interface UnaryOptions {
  readonly metadata: Metadata
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

export type ByteStream = ClientDuplexStream<Buffer, Buffer>

/** Messages arrive here encoded, and messages of streams are decoded after they leave. */
const same = (bytes: Buffer) => bytes

const channelOptions: ClientOptions = {
  // Pings detect within about 15 s that the other side has silently disappeared. etcd allows one every 5 s.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  // Each store has its own connections, so that closing the store closes them.
  'grpc.use_local_subchannel_pool': 1,
}

/** One member of the etcd cluster. */
export class EtcdMember {
  readonly address: string
  readonly #client: Client
  readonly #clock: Clock

  constructor(address: string, credentials: ChannelCredentials, clock: Clock) {
    this.address = address
    this.#clock = clock
    this.#client = new Client(address, credentials, channelOptions)
  }

  /**
   * Whether the member can be called now. A refused connection returns immediately, an unanswered one after the
   * timeout.
   */
  async connect(timeoutMs: number): Promise<boolean> {
    const channel = this.#client.getChannel()
    const deadline = this.#clock.now() + timeoutMs
    for (;;) {
      const state = channel.getConnectivityState(true)
      if (state === connectivityState.READY) return true
      if (state === connectivityState.TRANSIENT_FAILURE || state === connectivityState.SHUTDOWN) return false
      const changed = await new Promise<boolean>((resolve) => {
        channel.watchConnectivityState(state, deadline, (error) => resolve(error === undefined))
      })
      if (!changed) return false
    }
  }

  unary<Request, Response>(
    method: EtcdMethod<Request, Response>,
    request: Buffer,
    options: UnaryOptions,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const { signal } = options
      const finish = (settle: () => void) => {
        signal?.removeEventListener('abort', abort)
        settle()
      }
      const call = this.#client.makeUnaryRequest<Buffer, Response>(
        method.path,
        same,
        method.decode,
        request,
        options.metadata,
        { deadline: this.#clock.now() + options.timeoutMs },
        (error, response) => {
          if (error !== null) finish(() => reject(signal?.aborted === true ? signal.reason : failureFrom(error)))
          else if (response === undefined) finish(() => reject(new CallFailure('broken', 'etcd answered nothing')))
          else finish(() => resolve(response))
        },
      )
      const abort = () => call.cancel()
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  stream(path: string, metadata: Metadata): ByteStream {
    return this.#client.makeBidiStreamRequest<Buffer, Buffer>(path, same, same, metadata)
  }

  close(): void {
    this.#client.close()
  }
}
