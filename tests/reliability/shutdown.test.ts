import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import { connect as connectTcp } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { expect, it } from 'vitest'
import { startTestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { embeddedStore, running } from './support/running.ts'
import { refusedStart, type ServerProcess } from './support/server-process.ts'

const collection = '/api/v1/namespaces/default/configmaps'
const timeout = 300_000
/** Longer than a test may take: a shutdown that waits for it fails. */
const shutdownTimeoutMs = 600_000

it('on SIGTERM the server ends its watches cleanly, exits with 0, and leaves no lock behind', {
  timeout,
}, async () => {
  const options = await embeddedStore()
  const { server, client } = await running(options)
  const { metadata } = await client.must('GET', collection)
  const watching = await client.watch(collection, metadata.resourceVersion ?? '')
  const overHttp2 = await watchOverHttp2(server)
  await client.must('POST', collection, { metadata: { name: 'last' } })
  const added = () => watching.events.filter(({ object }) => object.metadata.name === 'last').map(({ type }) => type)
  await eventually(() => expect(added()).toEqual(['ADDED']))

  const exit = await server.stop()

  expect(exit).toMatchObject({ code: 0, signal: null, stderr: '' })
  expect(await watching.ended).toBe('cleanly')
  expect(await overHttp2.ended).toEqual({ errorCode: 0, told: 1 })
  const next = await running({ ...options, port: server.port })
  expect(await next.client.must('GET', `${collection}/last`)).toMatchObject({ metadata: { name: 'last' } })
})

it('unused connections do not delay the shutdown', { timeout }, async () => {
  const server = await startTestServer({ server: { limits: { shutdownTimeoutMs } } })
  const silent = connectTcp(server.port, '127.0.0.1')
  const unused = connectTls(server.port, '127.0.0.1', { ca: server.authority })
  await Promise.all([once(silent, 'connect'), once(unused, 'secureConnect')])
  const closed = Promise.all([once(silent, 'close'), once(unused, 'close')])
  silent.resume()
  unused.resume()
  await server.stop()
  await closed
})

it('on SIGTERM the server still answers a request whose body is arriving', { timeout }, async () => {
  const { server } = await running(await embeddedStore())
  const body = JSON.stringify({ metadata: { name: 'in-flight' }, data: { half: 'x'.repeat(50_000) } })
  const sending = begin(server, 'POST', collection, body.length)
  const answered = answerTo(sending)
  await sent(sending, body.slice(0, 20_000), server)

  const ended = server.stop()
  await eventually(() => refused(server))
  sending.end(body.slice(20_000))

  expect(await answered).toMatchObject({ status: 201, connection: 'close' })
  expect(await ended).toMatchObject({ code: 0 })
})

it('on SIGTERM the server completes a long list for a slow reader', { timeout }, async () => {
  const { server, client } = await running(await embeddedStore())
  const data = { large: 'x'.repeat(500_000) }
  const names = Array.from({ length: 20 }, (_, index) => `large-${index}`)
  await Promise.all(names.map((name) => client.must('POST', collection, { metadata: { name }, data })))
  const asking = begin(server, 'GET', collection)
  asking.end()
  const [response]: IncomingMessage[] = await once(asking, 'response')
  response?.pause()

  const ended = server.stop()
  await eventually(() => refused(server))
  const list: { readonly items: readonly unknown[] } = JSON.parse(response === undefined ? '' : await text(response))

  expect(list.items.length).toBeGreaterThanOrEqual(names.length)
  expect(await ended).toMatchObject({ code: 0 })
})

it('a second process on the same directory gets the name of the first, and exits with 1', { timeout }, async () => {
  const options = await embeddedStore()
  const { client } = await running(options)
  const exit = await refusedStart(options)
  expect(exit.code).toBe(1)
  expect(exit.stdout).toBe('')
  expect(exit.stderr).toMatch(/^error: the store in .*\/store is in use by process \d+: stop it first .*\n$/)
  await client.must('POST', collection, { metadata: { name: 'undisturbed' } })
})

interface Http2End {
  readonly errorCode: number
  /** The number of lines about the object in question. */
  readonly told: number
}

/** Begins a watch now. */
async function watchOverHttp2(server: ServerProcess): Promise<{ readonly ended: Promise<Http2End> }> {
  const session = connectHttp2(server.url, { ca: server.authority })
  const stream = session.request({
    ':path': `${collection}?watch=true&resourceVersion=0`,
    authorization: `Bearer ${server.token}`,
  })
  await once(stream, 'response')
  const ended = text(stream).then((lines) => ({
    errorCode: stream.rstCode,
    told: lines.split('\n').filter((line) => line.includes('"name":"last"')).length,
  }))
  void ended.then(() => session.close())
  return { ended }
}

/** A request on a separate connection, whose body the test sends piece by piece. */
function begin(server: ServerProcess, method: string, path: string, bodyLength = 0): ClientRequest {
  return httpsRequest(`${server.url}${path}`, {
    method,
    ca: server.authority,
    agent: false,
    headers: {
      authorization: `Bearer ${server.token}`,
      ...(bodyLength === 0 ? {} : { 'content-type': 'application/json', 'content-length': bodyLength }),
    },
  })
}

async function answerTo(
  request: ClientRequest,
): Promise<{ readonly status: number | undefined; readonly connection: string | undefined }> {
  const [response]: IncomingMessage[] = await once(request, 'response')
  if (response !== undefined) await text(response)
  return { status: response?.statusCode, connection: response?.headers.connection }
}

/** Resolves when the written data has left this process, and the server has had a turn to read it. */
async function sent(request: ClientRequest, chunk: string, server: ServerProcess): Promise<void> {
  await new Promise<void>((resolve) => request.write(chunk, () => resolve()))
  const probe = begin(server, 'GET', '/version')
  probe.end()
  await answerTo(probe)
}

function refused({ port }: ServerProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(port, '127.0.0.1')
    socket.once('error', () => resolve())
    socket.once('connect', () => {
      socket.destroy()
      reject(new Error('the server still takes connections'))
    })
  })
}
