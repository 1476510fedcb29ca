import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePortRow } from '../network/free-port.ts'
import type { SharedNode } from '../shared/contract.ts'
import { findKubernetes } from './kubernetes-programs.ts'
import { folderOfNode, isNodeAlive } from './left-node.ts'

const run = promisify(execFile)
const tool = resolve(import.meta.dirname, '../../../../shared/tools/kubernetes')
const patienceMs = 240_000
/** The ports that the tool takes, and those at which suites serve beside them. */
const portsOfNode = 30
const needed = ['ip', 'iptables', 'iptables-save', 'iptables-restore', 'mount', 'nsenter', 'openssl', 'curl']
/** The owner of the node on this machine, which has room for one. */
const owner = '/run/kubenode/owner'

const containerSocket = '/run/kubenode/containerd.sock'
const containerConfiguration = '/run/kubenode/containerd.toml'
/** On the bridge of the Pods, on this machine only. */
const nodeAddress = '10.244.0.1'

export interface RealNode extends SharedNode {
  /** The folder with everything that it writes. */
  readonly root: string
  remove(): Promise<void>
}

/** Why no Pod can run on this machine; undefined if one can. In CI only the kernel may be the reason. */
export function whyNoNode(): string | undefined {
  const forbidden = whatKernelForbids()
  if (forbidden !== undefined) return forbidden
  const missing = whatIsMissing()
  if (missing !== undefined && process.env.CI === 'true') throw new Error(`no Pod can run here: ${missing}`)
  return missing
}

function whatKernelForbids(): string | undefined {
  if (!readFileSync('/proc/filesystems', 'utf8').includes('overlay')) return 'the kernel has no overlayfs'
  return runs('unshare', '--mount', '--net', 'true') ? undefined : 'the kernel lets no container be made'
}

function whatIsMissing(): string | undefined {
  const search = findKubernetes()
  if (search.outcome === 'missing') return search.reason
  if (!existsSync(join(tool, 'up'))) return `there is no ${tool}/up`
  if (process.getuid?.() !== 0) return 'only root can run a node'
  const missing = needed.filter((command) => !isInstalled(command))
  if (missing.length > 0) return `a node needs ${missing.join(', ')}`
  if (!runs(join(programFolder(), 'node/containerd'), '--version')) {
    return `containerd of ${programFolder()} does not run on this processor: remove the folder and fetch it again`
  }
  return hasForeignNode() ? 'another node runs on this machine' : undefined
}

/** The shared node of this run is not in the way. */
function hasForeignNode(): boolean {
  const folder = folderOfNode(owner)
  return folder !== undefined && !folder.startsWith(tmpdir()) && isNodeAlive(folder, containerConfiguration)
}

/** Of a run that was killed: its processes are gone, and its mounts and rules of the firewall are not. */
async function removeLeftNode(): Promise<void> {
  const folder = folderOfNode(owner)
  if (folder === undefined || isNodeAlive(folder, containerConfiguration)) return
  const env = { ...process.env, ROOT: dirname(dirname(folder)) }
  await run(join(tool, 'down'), [basename(folder), '--purge'], { env, timeout: patienceMs })
}

export async function startNode(): Promise<RealNode> {
  await removeLeftNode()
  const root = mkdtempSync(join(tmpdir(), 'tenant-node-'))
  const folder = join(root, 'run/host')
  const env = { ...process.env, BIN: programFolder(), ROOT: root, NODE: '1' }
  const remove = async () => {
    await run(join(tool, 'down'), ['host', '--purge'], { env, timeout: patienceMs })
    rmSync(root, { recursive: true, force: true })
  }
  const port = await freePortRow(portsOfNode)
  try {
    await run(join(tool, 'up'), ['host', String(port)], { env, timeout: patienceMs })
  } catch (error) {
    await remove()
    throw error
  }
  return {
    root,
    url: `https://127.0.0.1:${port}`,
    token: readFileSync(join(folder, 'token'), 'utf8').trim(),
    authority: readFileSync(join(folder, 'pki/ca.crt'), 'utf8'),
    kubeconfig: join(folder, 'kubeconfig'),
    kubectl: join(programFolder(), 'kubectl'),
    address: nodeAddress,
    remove,
  }
}

/** Loads an image archive into the node, under the name in the archive. */
export async function loadImage(archive: string): Promise<void> {
  const command = ['-a', containerSocket, '-n', 'k8s.io', 'images', 'import', '--snapshotter', 'overlayfs', archive]
  await run(join(programFolder(), 'node/ctr'), command, { timeout: patienceMs })
}

/** Gives an image of the node a second name. */
export async function nameImage(name: string, other: string): Promise<void> {
  const command = ['-a', containerSocket, '-n', 'k8s.io', 'images', 'tag', name, other]
  await run(join(programFolder(), 'node/ctr'), command, { timeout: patienceMs })
}

/**
 * The configuration that the container runtime of the node has for each container of a namespace, including sandboxes
 * of Pods, as JSON.
 */
export async function containersOn(namespace: string): Promise<readonly string[]> {
  const ctr = (...words: readonly string[]) =>
    run(join(programFolder(), 'node/ctr'), ['-a', containerSocket, '-n', 'k8s.io', 'containers', ...words])
  const { stdout } = await ctr('list', '-q', `labels."io.kubernetes.pod.namespace"==${namespace}`)
  const ids = stdout.split('\n').filter((id) => id !== '')
  const found = await Promise.allSettled(ids.map(async (id) => (await ctr('info', id)).stdout))
  return found.flatMap((each) => {
    if (each.status === 'fulfilled') return [each.value]
    // Removed since it was listed.
    if (/not found/.test(String(each.reason))) return []
    throw each.reason
  })
}

function programFolder(): string {
  const search = findKubernetes()
  if (search.outcome === 'missing') throw new Error(search.reason)
  return dirname(search.programs.apiServer)
}

function isInstalled(command: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, command)))
}

function runs(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}
