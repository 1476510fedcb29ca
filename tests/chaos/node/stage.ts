import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { builtCli } from '../../reliability/support/built-cli.ts'
import { freePort } from '../../support/free-port.ts'
import { freeze } from '../../support/freeze.ts'
import { type Program, startProgram } from '../../support/program.ts'
import { loadImage } from '../../support/real-node.ts'
import { askForShared, releaseShared } from '../../support/shared/ask-for-shared.ts'
import type { Access } from '../../sync/support/cluster-client.ts'
import { type Kubectl, kubectlOn } from '../../sync/support/kubectl.ts'
import { tenantIn } from '../../walkthrough/support/command.ts'

const bridge = 'kubenode0'
const startMs = 120_000

/** A platform beside a node, and a virtual cluster in a Pod of it. */
export interface NodeStage {
  readonly access: Access
  readonly onHost: Kubectl
  /** What `tenant doctor` prints of it, whatever it thinks. */
  doctor(): Promise<string>
  killProcess(): void
  freezeKubelet(): void
  thawKubelet(): void
  network(state: 'up' | 'down'): Promise<void>
  /** Ends the platform in the middle of whatever it does and starts it again, with its clock turned ahead. */
  restartPlatform(hoursAhead?: number): Promise<void>
  remove(): Promise<void>
}

export const virtualCluster = 'kept'

export async function setNodeStage(): Promise<NodeStage> {
  const [node, image] = await Promise.all([askForShared('node'), askForShared('image')])
  await loadImage(image.archive)
  const home = mkdtempSync(join(tmpdir(), 'tenant-node-chaos-'))
  mkdirSync(join(home, '.kube'))
  writeFileSync(join(home, '.kube/config'), readFileSync(node.kubeconfig), { mode: 0o600 })
  const port = await freePort()
  let platform = await startPlatform(home, node.address, port)
  const data = join(home, '.tenant/data')
  const url = `https://${node.address}:${port}`
  const [token, authority] = ['admin.key', 'pki/ca.crt'].map((file) => readFileSync(join(data, file), 'utf8').trim())
  const tenant = tenantIn(home)
  await tenant(['platform', 'login', url, '--ca', join(data, 'pki/ca.crt'), '--access-key-stdin'], token)
  await tenant(['create', virtualCluster, '--driver', 'kubernetes', '--image', image.name])
  const kubelet = () => Number(readFileSync(join(dirname(node.kubeconfig), 'kubelet.pid'), 'utf8'))
  return {
    access: { url, token: token ?? '', authority: authority ?? '' },
    onHost: kubectlOn(node.kubectl, node.kubeconfig),
    doctor: () => reportOf(home),
    killProcess: () => process.kill(processOf(`--name=${virtualCluster}`), 'SIGKILL'),
    freezeKubelet: () => freeze(kubelet()),
    thawKubelet: () => void process.kill(kubelet(), 'SIGCONT'),
    network: async (state) => {
      await promisify(execFile)('ip', ['link', 'set', bridge, state])
    },
    restartPlatform: async (hoursAhead = 0) => {
      await platform.kill()
      platform = await startPlatform(home, node.address, port, hoursAhead)
    },
    remove: async () => {
      await platform.kill()
      await releaseShared('node')
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** It ends with 1 where something is wrong. */
function reportOf(home: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home }
  return new Promise((resolve) => {
    execFile(process.execPath, [builtCli(), 'doctor', virtualCluster], { env }, (_, stdout) => resolve(stdout))
  })
}

/** Of libfaketime, Debian's package. Timers go on as they are: the clock is wrong, and time does not pass faster. */
function clockAhead(hours: number): NodeJS.ProcessEnv {
  if (hours === 0) return {}
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
  const library = `/usr/lib/${architecture}-linux-gnu/faketime/libfaketime.so.1`
  return { LD_PRELOAD: library, FAKETIME: `+${hours}h`, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}

async function startPlatform(home: string, address: string, port: number, hoursAhead = 0): Promise<Program> {
  const args = [builtCli(), 'up', '--no-demo', '--host', address, '--port', String(port)]
  const environment = { PATH: process.env.PATH, HOME: home, ...clockAhead(hoursAhead) }
  const platform = startProgram({ program: process.execPath, args, environment })
  await platform.until('ready', () => /^ready/m.test(platform.output()), startMs)
  return platform
}

/** The process in a container whose command line has this word. */
function processOf(word: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const command = commandOf(pid)
    if (command.includes('run') && command.includes(word)) return Number(pid)
  }
  throw new Error(`no process runs with ${word}`)
}

function commandOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
