import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeWorkplace } from '../create/workplace.ts'
import { makeCertificates } from '../support/certificates.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { freePort } from '../support/network/free-port.ts'
import { builtCli } from '../support/programs/built-cli.ts'
import { startProgram } from '../support/programs/program.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'
import { missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { ClusterClient } from '../sync/support/cluster-client.ts'
import { secrets } from '../sync/support/objects.ts'
import { asInPod } from './support/as-in-pod.ts'

const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)
const missing = search.outcome === 'missing' ? search.reason : missingEtcd()

describe.skipIf(missing !== undefined)(`--etcd-secret${missing === undefined ? '' : ` (${missing})`}`, () => {
  it('connects the platform to an etcd that requires certificates', async () => {
    const kubernetes = await askForShared('kubernetes')
    const { kubeconfig } = kubernetes
    const host = new ClusterClient(kubernetes)
    const place = makeWorkplace(kubeconfig)
    const folder = await mkdtemp(join(tmpdir(), 'tenant-etcd-secret-'))
    const tls = await makeCertificates(folder, 'etcd')
    const etcd = await startEtcd({ tls })
    onTestFinished(async () => {
      await etcd.remove()
      await rm(folder, { recursive: true, force: true })
      place.remove()
      await host.close()
    })
    const namespace = 'install-etcd-secret'
    const stringData = {
      endpoints: etcd.endpoint,
      'ca.crt': readFileSync(tls.caFile, 'utf8'),
      'tls.crt': readFileSync(tls.certFile, 'utf8'),
      'tls.key': readFileSync(tls.keyFile, 'utf8'),
    }
    await host.ensureNamespace(namespace)
    await host.create(secrets, { metadata: { namespace, name: 'platform-etcd' }, stringData })
    const flags = ['--etcd-secret', 'platform-etcd', '--replicas', '1', '--no-wait', '--address', '127.0.0.1']
    const { stdout, stderr, exitCode } = await place.tenant(['platform', 'install', '-n', namespace, ...flags])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })

    const get = async (path: string) => {
      const { body } = await host.request('GET', path)
      return JSON.parse(JSON.stringify(body))
    }
    const secret = (name: string) => get(`/api/v1/namespaces/${namespace}/secrets/${name}`)
    const deployment = await get(`/apis/apps/v1/namespaces/${namespace}/deployments/tenant-platform`)
    const { words, remove } = await asInPod(deployment.spec.template.spec, secret)
    onTestFinished(remove)
    const port = await freePort()
    const args = [builtCli(), ...words, '--host=127.0.0.1', `--port=${port}`]
    const platform = startProgram({ program: process.execPath, args, environment: { PATH: process.env.PATH } })
    onTestFinished(() => platform.kill())
    await platform.until('ready', () => /^ready/m.test(platform.output()), 120_000)
    const client = new ClusterClient({
      url: `https://127.0.0.1:${port}`,
      token: /^admin key +(tpk_\w+)$/m.exec(stdout)?.[1] ?? '',
      authority: Buffer.from((await secret('tenant-platform-authority')).data['tls.crt'], 'base64').toString(),
    })
    onTestFinished(() => client.close())
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'written' } }
    expect(await client.request('POST', '/api/v1/namespaces/default/configmaps', body)).toMatchObject({ status: 201 })
  })
})
