import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { type Agent, request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../clusters/api-server.ts'
import { patientAgent } from '../../network/patient-agent.ts'
import { broughtValue } from '../brought-value.ts'
import { runWatchedCli } from '../watched-cli.ts'
import { watchedLog } from '../watched-log.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' }
let server: TestServer
let dispatcher: Agent

beforeAll(async () => {
  server = await startTestServer()
  dispatcher = patientAgent({ ca: server.authority })
})

/** The files of its database are deleted last. */
afterAll(async () => {
  await dispatcher.destroy()
  await server.stop()
})

async function ask(method: 'GET' | 'POST', path: string, body: unknown = null, more: Record<string, string> = {}) {
  const sent = body === null ? null : JSON.stringify(body)
  const answer = await request(`${server.url}${path}`, {
    method,
    dispatcher,
    headers: { ...headers, ...more },
    body: sent,
  })
  await answer.body.dump({ limit: 10_000_000 })
  expect(answer.statusCode).toBeLessThan(300)
}

const configMap = (name: string, data: Record<string, string>) => ({ metadata: { name }, data })

it('answers', () => ask('POST', configMaps, configMap('plain', { key: broughtValue('in-plain') })))

it('answers to what comes in pieces', async () => {
  const body = JSON.stringify(configMap('parsed', { key: broughtValue('in-parsed') }))
  const pieces = Readable.from([body.slice(0, 20), body.slice(20)])
  const answer = await request(`${server.url}${configMaps}`, { method: 'POST', dispatcher, headers, body: pieces })
  await answer.body.dump()
  expect(answer.statusCode).toBe(201)
})

it('answers over HTTP/2', async () => {
  await ask('POST', configMaps, configMap('framed', { key: broughtValue('in-frames') }))
  const session = connect(server.url, { ca: server.authority })
  const stream = session.request({ ':path': `${configMaps}/framed`, authorization: headers.authorization })
  expect(await text(stream)).toContain('framed')
  session.close()
})

it('answers that are compressed', async () => {
  await ask('POST', configMaps, configMap('large', { key: broughtValue('in-gzip'), filling: 'x'.repeat(200_000) }))
  await ask('GET', `${configMaps}/large`, null, { 'accept-encoding': 'gzip' })
})

it('logs', () => watchedLog().info(`the key is ${broughtValue('in-a-log')}`))

it('commands in this process', async () => {
  const output = { write: () => {} }
  expect(await runWatchedCli([broughtValue('in-command')], { stdout: output, stderr: output, env: {} })).not.toBe(0)
})

const printing = (value: string) => `process.stdout.write(${JSON.stringify(value)})`

it('output of processes', async () => {
  await promisify(execFile)(process.execPath, ['-e', printing(broughtValue('in-output'))])
})

const serving = `
  const server = require('node:http').createServer((_, response) => response.end(${JSON.stringify(broughtValue('in-process'))}))
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

it('answers of processes with an environment of their own', async () => {
  const child = spawn(process.execPath, ['-e', serving], { env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise((resolve) => child.stdout.setEncoding('utf8').once('data', resolve))
  await (await fetch(`http://127.0.0.1:${Number(port)}/served`)).text()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await ended
})

it('files that are removed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-leak-'))
  await writeFile(join(directory, 'removed.log'), `the key is ${broughtValue('in-removed')}`)
  await writeFile(join(directory, 'encoded.log'), Buffer.from(`: ${broughtValue('in-base64')}`).toString('base64'))
  await rm(directory, { recursive: true })
})

it('files that are left behind', () => writeFile(join(tmpdir(), 'left.log'), broughtValue('in-remains')))
