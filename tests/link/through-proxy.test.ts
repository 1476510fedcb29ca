import { expect, it, onTestFinished } from 'vitest'
import { startTestServer } from '../support/clusters/api-server.ts'
import { startConnectProxy } from '../support/network/connect-proxy.ts'
import { stopsWithTest } from './stops-with-test.ts'
import { embedded, inside, link, startLinkPlatform, tenantKey } from './support.ts'

it('a tenant registers and links through the proxy of its environment', async () => {
  const [platform, virtual] = await Promise.all([startLinkPlatform(), startTestServer()])
  onTestFinished(async () => {
    await Promise.all([platform.stop(), virtual.stop()])
  })
  const proxy = await startConnectProxy()
  const { port } = new URL(platform.server.url)
  const linked = stopsWithTest(
    link({
      // Only the proxy can resolve this name, and no certificate has it.
      url: `https://platform.test:${port}`,
      insecure: true,
      accessKey: await tenantKey(platform, 'behind-proxy'),
      virtualApi: embedded(virtual),
      env: { HTTPS_PROXY: proxy.url },
    }),
  )
  await linked.linked()
  expect((await platform.ask('GET', `${inside('dev')}/version`)).status).toBe(200)
  expect(proxy.asked.length).toBeGreaterThanOrEqual(2)
})
