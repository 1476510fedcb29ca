import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { loadImage, nameImage } from '../../support/clusters/real-node.ts'
import { freePort } from '../../support/network/free-port.ts'
import { builtCli } from '../../support/programs/built-cli.ts'
import { tenantIn } from '../../support/programs/command.ts'
import { freeze } from '../../support/programs/freeze.ts'
import { type Kubectl, kubectlOn } from '../../support/programs/kubectl.ts'
import { type Program, startProgram } from '../../support/programs/program.ts'
import { askForShared, releaseShared } from '../../support/shared/ask-for-shared.ts'
import { volumeAt } from '../../support/shared/volumes.ts'
import { mountSmallDisk, type SmallDisk } from '../../support/stores/small-disk.ts'
import type { Access } from '../../sync/support/cluster-client.ts'

const bridge = 'kubenode0'
const startMs = 120_000

/** A platform beside a node, and a virtual cluster in a Pod of it. */
export interface NodeStage {
  readonly access: Access
  readonly onHost: Kubectl
  /** The output of `tenant doctor`, whatever its result. */
  doctor(): Promise<string>
  killProcess(): void
  freezeKubelet(): void
  thawKubelet(): void
  network(state: 'up' | 'down'): Promise<void>
  /** Kills the platform at an arbitrary moment and starts it again, with its clock set ahead. */
  restartPlatform(hoursAhead?: number): Promise<void>
  /** Upgrades to the same program under another name, by `tenant create --upgrade`. */
  upgrade(): Promise<void>
  /** The disk of its volume. */
  readonly disk: SmallDisk
  remove(): Promise<void>
}

export const virtualCluster = 'kept'

const diskMegabytes = 64

export async function setNodeStage(): Promise<NodeStage> {
  const [node, image] = await Promise.all([askForShared('node'), askForShared('image')])
  await loadImage(image.archive)
  const home = homeOf(node.kubeconfig)
  const onHost = kubectlOn(node.kubectl, node.kubeconfig)
  const disk = await mountSmallDisk(diskMegabytes)
  await onHost('create -f -', volumeAt(smallDisk, disk.directory))
  writeFileSync(join(home, 'tenant.yaml'), `controlPlane: {storage: {className: ${smallDisk}}}\n`)
  const port = await freePort()
  let platform = await startPlatform(home, node.address, port)
  const data = join(home, '.tenant/data')
  const url = `https://${node.address}:${port}`
  const [token, authority] = ['admin.key', 'pki/ca.crt'].map((file) => readFileSync(join(data, file), 'utf8').trim())
  const tenant = tenantIn(home)
  await tenant(['platform', 'login', url, '--ca', join(data, 'pki/ca.crt'), '--access-key-stdin'], token)
  const file = join(home, 'tenant.yaml')
  await tenant(['create', virtualCluster, '--driver', 'kubernetes', '--image', image.name, '-f', file])
  let upgrades = 0
  const kubelet = () => Number(readFileSync(join(dirname(node.kubeconfig), 'kubelet.pid'), 'utf8'))
  return {
    access: { url, token: token ?? '', authority: authority ?? '' },
    onHost,
    disk,
    doctor: () => reportOf(home),
    killProcess: () => killInPod('run', `--name=${virtualCluster}`),
    freezeKubelet: () => freeze(kubelet()),
    thawKubelet: () => void process.kill(kubelet(), 'SIGCONT'),
    network: async (state) => {
      await promisify(execFile)('ip', ['link', 'set', bridge, state])
    },
    restartPlatform: async (hoursAhead = 0) => {
      await platform.kill()
      platform = await startPlatform(home, node.address, port, hoursAhead)
    },
    upgrade: async () => {
      upgrades += 1
      const next = `${image.name}-upgrade-${upgrades}`
      await nameImage(image.name, next)
      await tenant(['create', virtualCluster, '--upgrade', '--driver', 'kubernetes', '--image', next, '-f', file])
    },
    remove: async () => {
      await platform.kill()
      await releaseShared('node')
      await disk.remove()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** A class that no other volume has. */
const smallDisk = 'small-disk'

/** A home directory whose kubectl and `tenant` work on this cluster. */
export function homeOf(kubeconfig: string): string {
  const home = mkdtempSync(join(tmpdir(), 'tenant-node-chaos-'))
  mkdirSync(join(home, '.kube'))
  writeFileSync(join(home, '.kube/config'), readFileSync(kubeconfig), { mode: 0o600 })
  return home
}

/** The exit code is 1 if something is wrong. */
function reportOf(home: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home }
  return new Promise((resolve) => {
    execFile(process.execPath, [builtCli(), 'doctor', virtualCluster], { env }, (_, stdout) => resolve(stdout))
  })
}

/** Uses libfaketime, Debian's package. Timers are unaffected: the clock is wrong, but time does not pass faster. */
function clockAhead(hours: number): NodeJS.ProcessEnv {
  if (hours === 0) return {}
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  const library = `/usr/lib/${architecture}-linux-gnu/faketime/libfaketime.so.1`
  if (!existsSync(library)) throw new Error(`there is no ${library}: install Debian's package faketime`)
  return { LD_PRELOAD: library, FAKETIME: `+${hours}h`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

async function startPlatform(home: string, address: string, port: number, hoursAhead = 0): Promise<Program> {
  const args = [builtCli(), 'up', '--no-demo', '--host', address, '--port', String(port)]
  const environment = { PATH: process.env.PATH, HOME: home, ...clockAhead(hoursAhead) }
  const platform = startProgram({ program: process.execPath, args, environment })
  await platform.until('ready', () => /^ready/m.test(platform.output()), startMs)
  return platform
}

/** Kills the process of a Pod whose command line contains these words. */
export function killInPod(...words: readonly string[]): void {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found = pids.find((pid) => isInPod(pid) && words.every((word) => commandOf(pid).includes(word)))
  if (found === undefined) throw new Error(`no process of a Pod runs with ${words.join(' ')}`)
  process.kill(Number(found), 'SIGKILL')
}

function isInPod(pid: string): boolean {
  return fileOf(pid, 'cgroup').includes('kubepods')
}

function commandOf(pid: string): readonly string[] {
  return fileOf(pid, 'cmdline').split('\0')
}

/** Empty for a process that has just ended. */
function fileOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
