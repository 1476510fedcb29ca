import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { configMap } from '../../src/api/core/config-map.ts'
import { namespace } from '../../src/api/core/namespace.ts'
import { pod } from '../../src/api/core/pods/pod.ts'
import type { Kind } from '../../src/api/kind.ts'
import { kindSchema } from '../../src/api/metadata/kind-schema.ts'
import { object, string } from '../../src/api/schema-builder.ts'
import { createStaticTokenAuthenticator } from '../../src/auth/static-tokens.ts'
import { silentLog } from '../../src/base/log.ts'
import { systemRandom } from '../../src/base/random.ts'
import { createAnswerFor } from '../../src/server/api-server.ts'
import type { ApiServerDependencies } from '../../src/server/contract.ts'
import type { Output, Request, ResponseBody } from '../../src/server/http.ts'
import { deliver } from '../../src/server/transport/deliver.ts'
import type { Watches } from '../../src/server/verbs/watches.ts'
import { startRegistry, type TestRegistry } from '../support/registry.ts'

const widgetNames = { group: 'things.example.com', version: 'v1', kind: 'Widget' }

/** A plain custom kind, for the differences from built-in ones. */
export const widget: Kind = {
  ...widgetNames,
  plural: 'widgets',
  singular: 'widget',
  namespaced: false,
  flavor: 'custom',
  schema: kindSchema(widgetNames, 'A widget.', { spec: object('What it is.', { color: string('Its color.') }) }),
  nameRule: 'dns-subdomain',
  hasStatus: true,
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  allowsCreateOnUpdate: false,
  deleteAnswer: 'status',
  strategy: {},
}

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | object
  readonly token?: string | undefined
  readonly signal?: AbortSignal
}

export interface Answered {
  readonly status: number
  /** Names in lower case; the last value wins. */
  readonly headers: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
  readonly bytes: Buffer
  readonly text: string
  readonly json: unknown
}

export interface TestApi extends TestRegistry {
  readonly watches: Watches
  ask(url: string, asked?: Asked): Promise<Answered>
  /** Starts a long-running request, such as a watch. */
  open(url: string, asked?: Asked): Promise<OpenStream>
}

export interface OpenStream {
  readonly status: number
  readonly lines: readonly string[]
  readonly chunks: readonly string[]
  readonly ended: Promise<void>
  line(count: number): Promise<readonly unknown[]>
  disconnect(): void
}

/** The server without sockets, on a real registry and store. */
export async function startApi(overrides: Partial<ApiServerDependencies> = {}): Promise<TestApi> {
  const started = await startRegistry([configMap, namespace, pod, widget])
  const { answer, watches, stop } = createAnswerFor({
    registry: started.registry,
    authenticator: createStaticTokenAuthenticator([
      { token: 'admin-token', name: 'admin', groups: ['system:masters'] },
      { token: 'alice-token', name: 'alice', groups: ['dev'] },
    ]),
    authorizer: {
      authorize: ({ user }) =>
        user.groups.includes('system:masters')
          ? { verdict: 'allow', reason: '' }
          : { verdict: 'no-opinion', reason: '' },
      rulesFor: () => ({ resourceRules: [], pathRules: [], incomplete: false }),
    },
    clock: started.clock,
    elapsed: started.clock,
    random: systemRandom,
    log: silentLog,
    version: { major: '1', minor: '32', gitVersion: 'v1.32.4' },
    ...overrides,
    // The duration of a request must not decide which ones begin in one turn.
    limits: { msPerTurn: Number.POSITIVE_INFINITY, ...overrides.limits },
  })
  const exchange = (url: string, asked: Asked, sink: Sink): Promise<Head> =>
    new Promise((resolve) => {
      answer(requestOf(url, asked, sink.closed.signal), (done, response) => {
        deliver(done, response, {
          send: (status, headers, body) => {
            sink.end(body)
            resolve({ status, headers, body: response.body })
          },
          open: (status, headers) => {
            resolve({ status, headers, body: response.body })
            return sink
          },
        })
      })
    })
  const api: TestApi = {
    ...started,
    watches,
    ask: async (url, asked = {}) => {
      const sink = new Sink(asked.signal)
      const head = await exchange(url, asked, sink)
      await sink.ended
      return answeredOf(head, sink.bytes())
    },
    open: async (url, asked = {}) => {
      const sink = new Sink(asked.signal)
      const { status } = await exchange(url, asked, sink)
      return {
        status,
        chunks: sink.chunks,
        ended: sink.ended,
        get lines() {
          return sink.lines()
        },
        line: (count) => sink.line(count),
        disconnect: () => sink.closed.abort(),
      }
    },
    stop: async () => {
      stop()
      watches.close()
      await started.stop()
    },
  }
  await api.ask('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: 'default' } } })
  return api
}

interface Head {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: ResponseBody
}

function requestOf(
  url: string,
  { method = 'GET', headers = {}, body, token = 'admin-token' }: Asked,
  signal: AbortSignal,
): Request {
  const all: IncomingHttpHeaders = {
    'user-agent': 'test/1.0',
    ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }),
    ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  }
  const bytes = Buffer.from(typeof body === 'object' ? JSON.stringify(body) : (body ?? ''))
  return {
    method,
    url,
    headers: all,
    rawHeaders: Object.entries(all).flatMap(([name, value]) => [name, String(value)]),
    httpVersion: '1',
    peer: { remoteAddress: '192.0.2.1', localAddress: '127.0.0.1:8443', certificateSubject: undefined },
    clientAddress: '192.0.2.1',
    signal,
    get isGone() {
      return signal.aborted
    },
    readBody: () => Promise.resolve(bytes),
    openBody: () => Readable.from([bytes]),
  }
}

/** Receives what a socket would. */
class Sink implements Output {
  readonly isGone = false
  readonly chunks: string[] = []
  readonly closed = new AbortController()
  readonly ended: Promise<void>
  #end = (): void => {}
  #wake = (): void => {}

  constructor(signal: AbortSignal | undefined) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    signal?.addEventListener('abort', () => this.closed.abort())
  }

  write(chunk: Buffer): boolean {
    this.chunks.push(chunk.toString('latin1'))
    this.#wake()
    return true
  }

  drained(): Promise<void> {
    return Promise.resolve()
  }

  end(body?: Buffer): void {
    if (body !== undefined) this.write(body)
    this.#end()
  }

  destroy(): void {
    this.#end()
  }

  bytes(): Buffer {
    return Buffer.from(this.chunks.join(''), 'latin1')
  }

  text(): string {
    return this.bytes().toString()
  }

  lines(): readonly string[] {
    return this.text()
      .split('\n')
      .filter((line) => line !== '')
  }

  async line(count: number): Promise<readonly unknown[]> {
    while (this.lines().length < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.lines().map((line) => JSON.parse(line))
  }
}

function answeredOf({ status, headers }: Head, bytes: Buffer): Answered {
  const text = bytes.toString()
  const named: Record<string, string> = {}
  const warnings: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index]?.toLowerCase() ?? ''
    named[name] = headers[index + 1] ?? ''
    if (name === 'warning') warnings.push(named[name])
  }
  return {
    status,
    headers: named,
    warnings,
    bytes,
    text,
    get json() {
      return JSON.parse(text)
    },
  }
}
