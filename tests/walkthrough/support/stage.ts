import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, startServerProcess } from '../../reliability/support/server-process.ts'
import { findKubectls } from '../../support/clusters/kubectl.ts'
import { licenseFlags, testIssuer } from '../../support/license.ts'
import { freePort } from '../../support/network/free-port.ts'
import { builtCli } from '../../support/programs/built-cli.ts'
import { tenantIn } from '../../support/programs/command.ts'
import { type Kubectl, kubectlOn } from '../../support/programs/kubectl.ts'
import { type Program, startProgram } from '../../support/programs/program.ts'
import { type Access, ClusterClient } from '../../sync/support/cluster-client.ts'
import { type Flavor, type HostCluster, startHost } from '../../sync/support/clusters.ts'

/** A separate `tenant run`. */
export interface RunningTenant {
  readonly name: string
  readonly hostNamespace: string
  /** Its whole output. */
  log(): string
  /** Takes effect without a restart. */
  configure(tenantYaml: string): void
  stop(): Promise<void>
}

/** A platform, a host and virtual clusters, each a process, and their administrator with `tenant` and kubectl. */
export interface Stage {
  readonly platform: ServerProcess
  readonly authorityFile: string
  readonly flavor: Flavor
  /** Other suites may use it, too. */
  readonly host: HostCluster
  /** kubectl on the host. */
  readonly kubectl: Kubectl
  /** The same program, for `tenant connect`. */
  readonly kubectlProgram: string
  /** kubectl in a virtual cluster, bypassing the platform. */
  inside(tenant: RunningTenant): Kubectl
  accessTo(tenant: RunningTenant): Access
  tenant(args: readonly string[], input?: string): Promise<string>
  /** `cli` is another build of the program. */
  startTenant(name: string, hostNamespace: string, tenantYaml: string, cli?: string): RunningTenant
  /** The status of an answer through the platform and the link. */
  through(name: string): Promise<number>
  onPlatform(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown>
  stopPlatform(): Promise<void>
  startPlatform(): Promise<void>
  readonly home: string
  remove(): Promise<void>
}

export const management = '/apis/management.platform.internal/v1'
const apiVersion = 'management.platform.internal/v1'

/** `firstCli` is another build of the program, for the platform until its next start. */
export async function setStage(flavor: Flavor, firstCli = builtCli()): Promise<Stage> {
  const home = mkdtempSync(join(tmpdir(), 'tenant-walkthrough-'))
  const directory = join(home, 'platform')
  const options = {
    store: `file:${join(home, 'store')}`,
    directory,
    port: await freePort(),
    flags: licenseFlags(home),
  }
  const [host, first] = await Promise.all([startHost(flavor), startServerProcess({ ...options, cli: firstCli })])
  const programs: Program[] = []
  const kubectlProgram = newestKubectl()
  const client = new ClusterClient(first)
  let platform = first
  const onPlatform = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await client.request(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    platform: first,
    authorityFile: join(directory, 'pki/ca.crt'),
    flavor,
    host,
    kubectl: kubectlOn(kubectlProgram, host.server.kubeconfig),
    kubectlProgram,
    inside: ({ name }) => kubectlOn(kubectlProgram, join(home, name, 'kubeconfig')),
    accessTo: ({ name }) => accessOf(readFileSync(join(home, name, 'kubeconfig'), 'utf8')),
    home,
    tenant: tenantIn(home),
    onPlatform,
    through: async (name) => {
      const path = `/kubernetes/project/default/virtualcluster/${name}/api/v1/namespaces`
      return (await client.request('GET', path)).status
    },
    startTenant: (name, hostNamespace, tenantYaml, cli = builtCli()) => {
      const file = join(home, `${name}.yaml`)
      writeFileSync(file, tenantYaml)
      const args = ['run', '--name', name, '-n', hostNamespace, '-f', file, '--data-dir', join(home, name)]
      args.push('--host-kubeconfig', host.server.kubeconfig, '--license-issuer', testIssuer)
      const environment = { PATH: process.env.PATH, HOME: home }
      const program = startProgram({ program: process.execPath, args: [cli, ...args], environment })
      programs.push(program)
      const configure = (text: string) => writeFileSync(file, text)
      return { name, hostNamespace, log: program.output, configure, stop: () => program.stop() }
    },
    stopPlatform: async () => {
      await platform.stop()
    },
    startPlatform: async () => {
      platform = await startServerProcess(options)
    },
    remove: async () => {
      await client.close()
      await Promise.all([...programs.map((program) => program.kill()), platform.kill(), host.remove()])
      rmSync(home, { recursive: true, force: true })
    },
  }
}

function newestKubectl(): string {
  const [kubectl] = findKubectls()
  if (kubectl === undefined) throw new Error('there is no kubectl: tests/support/fetch-kubectl gets one')
  return kubectl.command
}

/** Our kubeconfigs are JSON, with one cluster and one user. */
function accessOf(kubeconfig: string): Access {
  const { clusters, users } = JSON.parse(kubeconfig)
  const { server, 'certificate-authority-data': authority } = clusters[0].cluster
  return { url: server, token: users[0].user.token, authority: Buffer.from(authority, 'base64').toString() }
}

/** Registers the host as a cluster of the platform. */
export async function registerHost({ onPlatform, flavor }: Stage, kubeconfig: string): Promise<void> {
  const place = { name: 'host-kubeconfig', namespace: 'default' }
  const data = { config: Buffer.from(kubeconfig).toString('base64') }
  await onPlatform('POST', '/api/v1/namespaces/default/secrets', { metadata: place, data })
  const config = { secretName: place.name, secretNamespace: place.namespace }
  const metadata = { name: flavor }
  await onPlatform('POST', `${management}/clusters`, { apiVersion, kind: 'Cluster', metadata, spec: { config } })
}
