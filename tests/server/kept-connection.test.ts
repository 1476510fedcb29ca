import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureCertificates } from '../../src/base/certificates/ensure.ts'
import { monotonicClock, systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { Exchange } from '../../src/server/exchange.ts'
import type { Request, Response } from '../../src/server/http.ts'
import { defaultLimits } from '../../src/server/limits.ts'
import { SecureServer } from '../../src/server/transport/secure-server.ts'

/** More than Node writes without waiting for the client to read. */
const long = Buffer.alloc(42_000, '.')
const rounds = 500
const bodyLimit = { maxBytes: 100_000, timeoutMs: 60_000 }

let directory: string
let server: SecureServer
let port: number

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-kept-'))
  const { key, certificate } = await ensureCertificates({ directory, name: 'server', names: [], clock: systemClock })
  server = new SecureServer({
    tls: { key, cert: certificate },
    limits: { ...defaultLimits, shutdownTimeoutMs: 300 },
    log: silentLog,
    elapsed: monotonicClock,
    answer: (request, send) => {
      const exchange = new Exchange(request, 'audit', { atMs: 0, elapsedMs: 0 })
      answered(request).then(
        (response) => send(exchange, response),
        (error: Error) => send(exchange, { status: 504, headers: [], body: Buffer.from(error.message) }),
      )
    },
  })
  port = (await server.listen(0, '127.0.0.1')).port
})
afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

it('reads a body that arrives in its own TLS record while the previous response is being sent', async () => {
  const client = new Worker(askInTurn, { eval: true, workerData: { port, rounds, longBytes: long.length } })
  const [said] = await once(client, 'message')
  await client.terminate()
  expect(said).toBe('all bodies were read')
})

async function answered(request: Request): Promise<Response> {
  if (request.method === 'GET') return { status: 200, headers: [], body: long }
  const { length } = await request.readBody(bodyLimit)
  return { status: 200, headers: [], body: Buffer.from(`read ${length}`) }
}

/**
 * Runs on a separate thread, so that it sends the next request while the server is still busy with the previous answer.
 */
const askInTurn = `
const { connect } = require('node:tls')
const { parentPort, workerData: { port, rounds, longBytes } } = require('node:worker_threads')
const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
let left = rounds
let received = ''
const get = () => socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
const post = () => {
  socket.write('POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 100\\r\\n\\r\\n')
  socket.write('x'.repeat(100))
}
socket.setNoDelay(true)
socket.on('secureConnect', get)
socket.on('close', () => parentPort.postMessage('closed after ' + received.slice(-500)))
socket.on('data', (chunk) => {
  received += chunk
  if (received.endsWith('read 100')) {
    received = ''
    left -= 1
    if (left > 0) get()
    else parentPort.postMessage('all bodies were read')
  } else if (received.length - received.indexOf('\\r\\n\\r\\n') - 4 === longBytes) {
    received = ''
    post()
  }
})
`
