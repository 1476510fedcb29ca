import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startConnectProxy } from '../../support/network/connect-proxy.ts'
import { makeWorkplace } from './support.ts'
import { startTlsServer } from './tls-server.ts'

/** A platform that can be reached only through the proxy. */
async function behindProxy() {
  const [server, workplace] = await Promise.all([startTlsServer({ names: ['platform.test'] }), makeWorkplace()])
  onTestFinished(async () => {
    await Promise.all([server.stop(), workplace.remove()])
  })
  const ca = join(workplace.directory, 'ca.crt')
  await writeFile(ca, server.authority)
  const login = ['login', `https://platform.test:${server.port}`, '--ca', ca, '--access-key-stdin']
  return { server, login, run: workplace.platform, address: `platform.test:${server.port}` }
}

it('commands reach a platform through the proxy that the environment names', async () => {
  const { login, run, server, address } = await behindProxy()
  const proxy = await startConnectProxy()
  const env = { HTTPS_PROXY: proxy.url }
  expect(await run(login, { input: 'a-key', env })).toMatchObject({ exitCode: 0 })
  expect(await run(['whoami'], { env })).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('ada') })
  expect(server.credentials).toContain('Bearer a-key')
  expect(new Set(proxy.asked.map((asked) => asked.split(' ')[0]))).toEqual(new Set([address]))
})

it('a proxy that refuses is named, without its password', async () => {
  const { login, run } = await behindProxy()
  const proxy = await startConnectProxy('403 Forbidden')
  const { exitCode, stderr } = await run(login, { input: 'a-key', env: { HTTPS_PROXY: proxy.url } })
  expect(exitCode).not.toBe(0)
  expect(stderr).toMatch(/through the proxy 127\.0\.0\.1:\d+: the proxy answered 403/)
  expect(stderr).not.toContain('pass@')
})

it('a host that NO_PROXY names is reached without the proxy', async () => {
  const { login, run } = await behindProxy()
  const proxy = await startConnectProxy()
  const { exitCode } = await run(login, { input: 'a-key', env: { HTTPS_PROXY: proxy.url, NO_PROXY: '.test' } })
  expect(exitCode).not.toBe(0)
  expect(proxy.asked).toEqual([])
})
