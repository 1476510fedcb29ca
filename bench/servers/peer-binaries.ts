import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface PeerBinaries {
  readonly apiServer: string
  readonly etcd: string
  /** As the program names itself, such as `Kubernetes v1.32.4`. */
  readonly version: string
}

/** The binaries to compare with, or what is missing. */
export type PeerSearch =
  | { readonly outcome: 'found'; readonly binaries: PeerBinaries }
  | { readonly outcome: 'missing'; readonly reason: string }

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The archive beside the project, for this processor. */
export const sharedArchive = `../shared/tools/kubernetes/assets-${architectures[process.arch] ?? process.arch}.tar.xz`

/** `KUBEBUILDER_ASSETS` names the folder, as for envtest; otherwise the shared archive is unpacked. */
export function findPeer(directory: string, assets = process.env.KUBEBUILDER_ASSETS): PeerSearch {
  if (assets !== undefined && assets !== '') return searchIn(assets, `KUBEBUILDER_ASSETS (${assets})`)
  if (!existsSync(sharedArchive)) {
    return { outcome: 'missing', reason: `neither KUBEBUILDER_ASSETS is set nor is ${sharedArchive} there` }
  }
  const unpacked = join(directory, 'peer-binaries')
  mkdirSync(unpacked)
  try {
    execFileSync('tar', ['-xJf', sharedArchive, '-C', unpacked], { stdio: 'pipe' })
  } catch (error) {
    return { outcome: 'missing', reason: `${sharedArchive} cannot be unpacked: ${firstLine(error)}` }
  }
  return searchIn(folderOf(unpacked, 'kube-apiserver') ?? unpacked, sharedArchive)
}

function searchIn(folder: string, source: string): PeerSearch {
  const apiServer = join(folder, 'kube-apiserver')
  const etcd = join(folder, 'etcd')
  for (const file of [apiServer, etcd]) {
    if (!isExecutable(file)) return { outcome: 'missing', reason: `${source} holds no program ${file}` }
  }
  try {
    const version = execFileSync(apiServer, ['--version'], { encoding: 'utf8', stdio: 'pipe' }).trim()
    execFileSync(etcd, ['--version'], { stdio: 'pipe', env: etcdEnvironment() })
    return { outcome: 'found', binaries: { apiServer, etcd, version } }
  } catch (error) {
    return {
      outcome: 'missing',
      reason: `the programs of ${source} do not run on ${process.arch}: ${firstLine(error)}`,
    }
  }
}

/** Old versions of etcd require an explicit opt-in on architectures that they do not support. */
export function etcdEnvironment(): NodeJS.ProcessEnv {
  return process.arch === 'x64' ? process.env : { ...process.env, ETCD_UNSUPPORTED_ARCH: process.arch }
}

function folderOf(root: string, name: string): string | undefined {
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((file) => `/${file}`.endsWith(`/${name}`))
  return found === undefined ? undefined : dirname(join(root, found))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}
