import { Agent, request } from 'node:https'
import { coreKinds } from '../../src/api/core/kinds.ts'
import { managementKinds } from '../../src/api/management/kinds.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'

export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export interface FuzzAnswer {
  readonly status: number
  readonly text: string
}

export interface FuzzServer {
  readonly server: TestServer
  send(request: FuzzRequest): Promise<FuzzAnswer>
  stop(): Promise<void>
}

const patienceMs = 240_000

/** A complete server, and a client that sends arbitrary requests. */
export async function startFuzzServer(): Promise<FuzzServer> {
  const server = await startTestServer({ kinds: [...coreKinds(), ...managementKinds('fuzz.example')] })
  const agent = new Agent({ keepAlive: true, maxSockets: 16, ca: server.authority })
  return {
    server,
    send: (each) => send(server.port, agent, each),
    stop: async () => {
      agent.destroy()
      await server.stop()
    },
  }
}

function send(port: number, agent: Agent, { method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        timeout: patienceMs,
        headers: {
          authorization: 'Bearer admin-token',
          ...(body === undefined ? {} : { 'content-length': body.length }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        const done = () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', done)
        response.on('error', done)
      },
    )
    call.on('timeout', () => reject(new Error(`no answer to ${method} ${path}`)))
    call.on('error', reject)
    call.end(body)
  })
}
