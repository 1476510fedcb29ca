import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import type { KubeObject } from '../../src/api/object.ts'
import type { KubeClient, ResourceType } from '../../src/client/contract.ts'
import { printKubeconfig } from '../../src/cluster/kubeconfig.ts'
import type { Kubernetes } from '../support/clusters/kubernetes.ts'
import { freePort } from '../support/network/free-port.ts'
import { patientAgent } from '../support/network/patient-agent.ts'
import { type Program, startProgram } from '../support/programs/program.ts'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Pod {
  readonly program: Program
  /** The directory of its volume. */
  readonly data: string
}

interface PodOptions {
  readonly kubernetes: Kubernetes
  readonly host: KubeClient
  readonly namespace: string
  readonly name: string
  readonly directory: string
}

/**
 * Plays a kubelet: reads the pod template back from the API server, sets up its volumes, and runs its command with its
 * arguments and environment as its ServiceAccount. Only paths and ports change.
 */
export async function runPod({ kubernetes, host, namespace, name, directory }: PodOptions): Promise<Pod> {
  const { template } = (await readBack(host, 'apps/v1', 'StatefulSet', namespace, name)).spec
  const [container] = template.spec.containers
  if (container === undefined) throw new Error('the pod has no container')
  const places = new Map<string, string>()
  for (const { name: volume, mountPath } of container.volumeMounts) {
    const place = join(directory, volume)
    mkdirSync(place, { recursive: true })
    places.set(mountPath, place)
    const source = template.spec.volumes.find((each) => each.name === volume)
    if (source?.secret) await fill(host, namespace, source.secret.secretName, place)
  }
  const token = await tokenOf(kubernetes, namespace, template.spec.serviceAccountName)
  const kubeconfig = join(directory, 'kubeconfig')
  const context = { name: 'pod', server: kubernetes.url, certificateAuthority: kubernetes.authority, token }
  writeFileSync(kubeconfig, printKubeconfig([context]), { mode: 0o600 })
  const args: string[] = []
  for (const given of container.args) {
    const moved = [...places].reduce((done, [from, to]) => done.replace(from, to), given)
    const [, flag] = /^(--(?:\w+-)?port)=/.exec(moved) ?? []
    args.push(flag === undefined ? moved : `${flag}=${await freePort()}`)
  }
  const [program, ...command] = container.command
  if (program !== 'tenant') throw new Error(`the pod runs ${program}`)
  return {
    program: startProgram({
      program: process.execPath,
      args: [main, ...command, ...args],
      environment: { PATH: process.env.PATH, KUBECONFIG: kubeconfig, ...environmentOf(container, `${name}-0`) },
    }),
    data: places.get('/var/lib/tenant') ?? '',
  }
}

function environmentOf({ env = [] }: Container, pod: string) {
  return Object.fromEntries(env.map(({ name, value }) => [name, value ?? pod]))
}

async function fill(host: KubeClient, namespace: string, secret: string, place: string): Promise<void> {
  const { data } = await readBack(host, 'v1', 'Secret', namespace, secret)
  for (const [entry, value] of Object.entries(data)) {
    mkdirSync(dirname(join(place, entry)), { recursive: true })
    writeFileSync(join(place, entry), Buffer.from(String(value), 'base64'))
  }
}

async function tokenOf({ url, token, authority }: Kubernetes, namespace: string, account: string): Promise<string> {
  const dispatcher = patientAgent({ ca: authority })
  const { body } = await request(`${url}/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`, {
    method: 'POST',
    dispatcher,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
  })
  const answer = JSON.parse(await body.text())
  await dispatcher.close()
  return answer.status.token
}

interface ReadBack extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly serviceAccountName: string
        readonly containers: readonly Container[]
        readonly volumes: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[]
      }
    }
  }
  readonly data: Readonly<Record<string, string>>
}

interface Container {
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
}

async function readBack(host: KubeClient, apiVersion: string, kind: string, namespace: string, name: string) {
  const type: ResourceType | undefined = await host.served.findKind(apiVersion, kind)
  if (type === undefined) throw new Error(`no ${kind}`)
  return JSON.parse(JSON.stringify(await host.get(type, { namespace, name }))) as ReadBack
}
