import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { KubeClient } from '../../src/client/contract.ts'
import { startConnectProxy } from '../support/network/connect-proxy.ts'
import { freePort } from '../support/network/free-port.ts'
import { clientByKubeconfig, configMap, configMaps, type TestClientOptions } from './client-of.ts'
import { answer, type Respond, refuse, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

const object = { ...configMap('n', 'a'), metadata: { namespace: 'n', name: 'a', resourceVersion: '1' } }
const key = { namespace: 'n', name: 'a' }
const well: Respond = (response) => answer(response, 200, object)
const retry = { attempts: 3, firstMs: 5, longestMs: 2_000 }

async function serverThat(respond: Respond): Promise<ScriptedServer> {
  const server = await startScriptedServer(respond)
  onTestFinished(() => server.stop())
  return server
}

async function clientFor(kubeconfig: string, options: TestClientOptions = {}): Promise<KubeClient> {
  const limits = { retry, ...options.limits }
  const client = await clientByKubeconfig(kubeconfig, { ...options, limits })
  onTestFinished(() => client.close())
  return client
}

describe('a refusal with Retry-After', () => {
  it.each([429, 503])('is retried after the requested time (%i)', async (code) => {
    const server = await serverThat((response, _, number) =>
      number === 1 ? refuse(response, code, { 'retry-after': '1' }) : answer(response, 201, object),
    )
    const client = await clientFor(server.kubeconfig())
    const startedMs = performance.now()
    expect(await client.create(configMaps, object)).toEqual(object)
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(1_000)
    expect(server.heard).toHaveLength(2)
  })

  it('is returned to the caller if it persists', async () => {
    const server = await serverThat((response) => refuse(response, 429))
    const client = await clientFor(server.kubeconfig())
    await expect(client.get(configMaps, key)).rejects.toMatchObject({ name: 'ApiError', code: 429 })
    expect(server.heard).toHaveLength(3)
  })

  it.each([
    ['busy servers', 429, 'Too many requests, please try again later.'],
    ['a refused discovery', 403, 'forbidden: User "ada" cannot get path "/apis"'],
  ])('may be plain text, as from %s', async (_, code, text) => {
    const server = await serverThat((response) => response.writeHead(code, { 'content-type': 'text/plain' }).end(text))
    const client = await clientFor(server.kubeconfig())
    await expect(client.get(configMaps, key)).rejects.toMatchObject({ name: 'ApiError', code, message: text })
  })

  it('ends when the caller does', async () => {
    const server = await serverThat((response) => refuse(response, 429, { 'retry-after': '2' }))
    const client = await clientFor(server.kubeconfig())
    const controller = new AbortController()
    const asked = client.get(configMaps, key, controller.signal)
    setTimeout(() => controller.abort(new Error('enough')), 50)
    await expect(asked).rejects.toThrow('enough')
  })
})

describe('a connection that breaks', () => {
  const breaking: Respond = (response, _, number) => (number === 1 ? response.destroy() : answer(response, 200, object))

  it('is retried for a read', async () => {
    const server = await serverThat(breaking)
    expect(await (await clientFor(server.kubeconfig())).get(configMaps, key)).toEqual(object)
  })

  it('is not retried for a write, which may have been executed', async () => {
    const server = await serverThat(breaking)
    const client = await clientFor(server.kubeconfig())
    await expect(client.create(configMaps, object)).rejects.toMatchObject({ name: 'ConnectionError' })
    expect(server.heard).toHaveLength(1)
  })

  it('is retried for a write if the connection was never established', async () => {
    const server = await serverThat(well)
    const port = await freePort()
    const kubeconfig = server.kubeconfig({}, { server: `https://127.0.0.1:${port}` })
    const client = await clientFor(kubeconfig, { limits: { retry: { attempts: 1_000, firstMs: 20, longestMs: 50 } } })
    const created = client.create(configMaps, object)
    const relay = createServer()
    relay.removeAllListeners('connection')
    relay.on('connection', (socket) => socket.pipe(connect(server.port, '127.0.0.1')).pipe(socket))
    setTimeout(() => relay.listen(port, '127.0.0.1'), 60)
    onTestFinished(() => void relay.close())
    expect(await created).toEqual(object)
  })
})

describe('a limit', () => {
  const once = { retry: { ...retry, attempts: 1 } }

  it('ends the wait for a response', async () => {
    const server = await serverThat(() => {})
    const client = await clientFor(server.kubeconfig(), { limits: { ...once, answerTimeoutMs: 500 } })
    await expect(client.get(configMaps, key)).rejects.toThrow('gave no answer within 0.5 s')
  })

  it('ends a response that stalls', async () => {
    const server = await serverThat((response) => response.writeHead(200).write('{'))
    const client = await clientFor(server.kubeconfig(), { limits: { ...once, answerTimeoutMs: 2_000 } })
    await expect(client.get(configMaps, key)).rejects.toThrow('stopped in the middle of an answer')
  })

  it('ends a response that is too large', async () => {
    const server = await serverThat((response) => answer(response, 200, { x: 'x'.repeat(100_000) }))
    const client = await clientFor(server.kubeconfig(), { limits: { ...once, maxAnswerBytes: 50_000 } })
    await expect(client.get(configMaps, key)).rejects.toThrow('larger than 50000 bytes')
  })

  it('delays requests above the concurrency limit', async () => {
    let most = 0
    const open: ServerResponse[] = []
    const server = await serverThat((response) => {
      most = Math.max(most, open.push(response))
      if (open.length !== 4) return
      // One too many would arrive meanwhile.
      setTimeout(() => {
        for (const each of open.splice(0)) answer(each, 200, object)
      }, 10)
    })
    const client = await clientFor(server.kubeconfig(), { limits: { concurrency: 4 } })
    await Promise.all(Array.from({ length: 40 }, () => client.get(configMaps, key)))
    expect(most).toBe(4)
    expect(new Set(server.heard.map(({ port }) => port)).size).toBe(4)
  })
})

describe('the identity of the client', () => {
  it('is sent as a certificate', async () => {
    const server = await serverThat(well)
    const [certificate, privateKey] = [server.certificate, server.key].map((text) =>
      Buffer.from(text).toString('base64'),
    )
    const user = { 'client-certificate-data': certificate, 'client-key-data': privateKey }
    await (await clientFor(server.kubeconfig(user))).get(configMaps, key)
    expect(server.heard[0]?.certificate).toBe('scripted')
  })

  it('is requested again from a plugin after a refusal', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenant-plugin-'))
    const [plugin, token] = [join(folder, 'plugin'), join(folder, 'token')]
    const credential =
      '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}'
    writeFileSync(plugin, `#!/bin/sh\nprintf '${credential}' "$(cat ${token})"\n`)
    chmodSync(plugin, 0o755)
    writeFileSync(token, 'old')
    const server = await serverThat((response, { authorization }) =>
      authorization === 'Bearer new' ? answer(response, 200, object) : refuse(response, 401),
    )
    let nowMs = 0
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: plugin }
    const client = await clientFor(server.kubeconfig({ exec }), { clock: { now: () => nowMs } })
    await expect(client.get(configMaps, key)).rejects.toMatchObject({ code: 401 })
    writeFileSync(token, 'new')
    nowMs += 60_000
    expect(await client.get(configMaps, key)).toEqual(object)
  })
})

describe('a server that cannot be trusted', () => {
  it.each([
    ['an unknown authority', { 'certificate-authority-data': undefined }, /vouches only for itself/],
    ['another name', { 'tls-server-name': 'other.example' }, /it is for 127.0.0.1/],
  ])('(%s) gets no request', async (_, cluster, reason) => {
    const server = await serverThat(well)
    const client = await clientFor(server.kubeconfig({ token: 'secret' }, cluster))
    await expect(client.get(configMaps, key)).rejects.toThrow(reason)
    expect(server.heard).toEqual([])
  })

  it('is used if the kubeconfig says so', async () => {
    const server = await serverThat(well)
    const cluster = { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true }
    expect(await (await clientFor(server.kubeconfig({}, cluster))).get(configMaps, key)).toEqual(object)
  })
})

describe('a proxy', () => {
  it('is used when the kubeconfig names one', async () => {
    const server = await serverThat(well)
    const proxy = await startConnectProxy()
    const client = await clientFor(server.kubeconfig({}, { 'proxy-url': proxy.url }))
    expect(await client.get(configMaps, key)).toEqual(object)
    expect(proxy.asked).toEqual([`127.0.0.1:${server.port} Basic ${Buffer.from('user:pass').toString('base64')}`])
  })

  it('that refuses is named, without its password', async () => {
    const server = await serverThat(well)
    const proxy = await startConnectProxy('403 Forbidden')
    const client = await clientFor(server.kubeconfig({}, { 'proxy-url': proxy.url }))
    const failure = await client.get(configMaps, key).catch((error: Error) => error.message)
    expect(failure).toMatch(/through the proxy 127\.0\.0\.1:\d+: the proxy answered 403/)
    expect(failure).not.toContain('pass')
  })
})

describe('a number that JavaScript would round', () => {
  const large = '9007199254740993'
  const text = JSON.stringify({ ...object, spec: { size: 0 } }).replace('"size":0', `"size":${large}`)

  it('is not read', async () => {
    const server = await serverThat((response) => response.writeHead(200).end(text))
    await expect((await clientFor(server.kubeconfig())).get(configMaps, key)).rejects.toThrow('too large to be kept')
  })

  it('keeps only that object out of an informer', async () => {
    const other = JSON.stringify({ ...object, metadata: { ...object.metadata, name: 'b', uid: large.repeat(2) } })
    const server = await serverThat((response, { path }) => {
      if (path.includes('watch'))
        return void response.writeHead(200).write(`{"type":"MODIFIED","object":${text.replace('"1"', '"6"')}}\n`)
      response.writeHead(200).end(`{"kind":"List","metadata":{"resourceVersion":"5"},"items":[${text},${other}]}`)
    })
    const client = await clientFor(server.kubeconfig())
    const informer = client.informer(configMaps)
    await informer.whenSynced()
    expect(Array.from(informer.all(), ({ metadata }) => metadata.name)).toEqual(['b'])
    await expect(client.list(configMaps)).rejects.toThrow('too large to be kept')
  })
})
