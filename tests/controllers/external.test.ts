import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { effectiveConfig } from '../../src/api/tenant-config/defaults.ts'
import { silentLog } from '../../src/base/log.ts'
import { controllerManagerArgs } from '../../src/cli/create/manifests/controller-manager.ts'
import type { KubeClient } from '../../src/client/contract.ts'
import { limitOfMachine } from '../../src/cluster/virtual-cluster/content-limit.ts'
import { type ControlPlane, startControlPlane } from '../../src/cluster/virtual-cluster/control-plane.ts'
import { clientOf, pods } from '../client/client-of.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { eventually } from '../support/eventually.ts'
import { startProgram } from '../support/programs/program.ts'

const search = findKubernetes()
const program = search.outcome === 'found' ? search.programs.controllerManager : undefined
const patienceMs = 240_000
const deployments = { ...pods, group: 'apps', resource: 'deployments', kind: 'Deployment' }

it.skipIf(program === undefined)(
  'with an external kube-controller-manager, the virtual cluster runs no workload controllers',
  { timeout: 2 * patienceMs },
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tenant-external-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const kubeconfig = join(directory, 'manager.kubeconfig')
    const controlPlane = await startedControlPlane(directory, kubeconfig)
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600)
    const client = await clientOf(controlPlane)
    await client.create(deployments, deploymentOf(2))
    await eventually(async () => expect(await accountsIn(client)).toContain('default'))
    expect(await podCount(client)).toBe(0)
    const asManager = await clientOf({ kubeconfig })
    const refused = asManager.delete(deployments, { namespace: 'default', name: 'web' })
    await expect(refused).rejects.toMatchObject({ status: { code: 403 } })
    const isOld = search.outcome === 'found' && search.programs.minor < 24
    const args = [...controllerManagerArgs(kubeconfig, false), ...(isOld ? ['--port=0'] : [])]
    const manager = startProgram({ program: program ?? '', args })
    onTestFinished(() => manager.kill())
    await manager.until('Pods', async () => (await podCount(client)) === 2, patienceMs)
  },
)

async function startedControlPlane(directory: string, controllersKubeconfig: string): Promise<ControlPlane> {
  const controlPlane = await startControlPlane({
    identity: { tenant: 'demo', hostNamespace: 'tenant-demo' },
    directory: join(directory, 'data'),
    host: '127.0.0.1',
    port: 0,
    contentLimit: limitOfMachine({ objects: 10_000, bytes: 100_000_000 }),
    config: () => effectiveConfig({}),
    clusterDomain: 'cluster.local',
    server: {},
    addressOfCopy: () => undefined,
    controllersKubeconfig,
    log: silentLog,
  })
  onTestFinished(() => controlPlane.stop())
  return controlPlane
}

async function podCount(client: KubeClient): Promise<number> {
  return (await client.list(pods, { namespace: 'default' })).items.length
}

async function accountsIn(client: KubeClient): Promise<readonly (string | undefined)[]> {
  const accounts = { ...pods, resource: 'serviceaccounts', kind: 'ServiceAccount', hasStatus: false }
  return (await client.list(accounts, { namespace: 'default' })).items.map(({ metadata }) => metadata.name)
}

function deploymentOf(replicas: number) {
  const labels = { app: 'web' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example/web' }] } }
  const spec = { replicas, selector: { matchLabels: labels }, template }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' }, spec }
}
