import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readEd25519PublicKey } from '../../src/base/keys/ed25519.ts'
import { createLicenseHolder } from '../../src/platform/license/license-holder.ts'
import { keptLicenseName } from '../../src/tenant/license/kept-license.ts'
import { type TenantProcess, tenantWith } from '../cli/tenant-process.ts'
import { tenantKey } from '../link/support.ts'
import { clientOf, startPlatform, type TestPlatform } from '../platform/platform.ts'
import { startTestServer } from '../support/clusters/api-server.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { eventually } from '../support/eventually.ts'
import { testIssuer, testLicense } from '../support/license.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'

const search = findKubernetes()
const timeout = 300_000
const namespace = 'tenant-dev'
const configuration = `
sync:
  toHost:
    services:
      patches:
        - path: metadata.annotations["example.com/from"]
          expression: '"patched"'
`

interface Host {
  readonly url: string
  readonly authority: string
  readonly token: string
  readonly kubeconfig: string
  stop(): Promise<void>
}

async function embeddedHost(directory: string): Promise<Host> {
  const server = await startTestServer()
  const kubeconfig = join(directory, 'host.kubeconfig')
  writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  return { url: server.url, authority: server.authority, token: 'admin-token', kubeconfig, stop: () => server.stop() }
}

async function realHost(): Promise<Host> {
  return { ...(await askForShared('kubernetes')), stop: async () => {} }
}

const hosts = [
  ['an embedded host', embeddedHost] as const,
  ...(search.outcome === 'missing' ? [] : [['a real kube-apiserver', realHost] as const]),
]

describe.each(hosts)('a virtual cluster with patches on %s, which knows no issuer', (_name, startHost) => {
  let directory: string
  let host: Host
  let platform: TestPlatform
  let running: TenantProcess | undefined

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tenant-handed-on-'))
    writeFileSync(join(directory, 'tenant.yaml'), configuration)
    const license = await createLicenseHolder({
      document: await testLicense(),
      issuerKey: readEd25519PublicKey(testIssuer),
      clock: systemClock,
    })
    platform = await startPlatform({ clock: systemClock, platform: { domain: 'platform.internal', license } })
    host = await startHost(directory)
    const client = clientOf(host.url, host.authority, host.token)
    await client.ask('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } })
    await client.close()
  }, timeout)
  afterAll(async () => {
    running?.child.kill('SIGKILL')
    await running?.finished
    await platform?.stop()
    await host?.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  const start = (env: Readonly<Record<string, string>>) => {
    const place = ['--name', 'dev', '-n', namespace, '--host-kubeconfig', host.kubeconfig]
    const own = ['-f', join(directory, 'tenant.yaml'), '--data-dir', join(directory, 'data'), '--port', '0']
    running = tenantWith(env, 'run', ...place, ...own)
    return running
  }

  it('syncs, since the platform names the issuer, and continues while the platform is unavailable', {
    timeout,
  }, async () => {
    const LICENSE = JSON.stringify({
      host: platform.server.url,
      accessKey: await tenantKey(platform, 'dev'),
      certificateAuthorityData: Buffer.from(platform.server.authority).toString('base64'),
    })
    const first = start({ LICENSE })
    await first.line('ready')
    const client = clientOf(host.url, host.authority, host.token)
    await eventually(async () => {
      const { body } = await client.ask('GET', `/api/v1/namespaces/${namespace}/secrets/${keptLicenseName('dev')}`)
      expect(Buffer.from(body.data?.issuer ?? '', 'base64').toString()).toBe(testIssuer)
    })
    await client.close()
    first.child.kill('SIGTERM')
    await first.finished

    await platform.stop()
    await start({ LICENSE }).line('ready')
  })
})
