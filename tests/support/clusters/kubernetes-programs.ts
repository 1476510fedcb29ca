import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { findPeer, sharedArchive } from '../../../bench/servers/peer-binaries.ts'

export interface KubernetesPrograms {
  readonly apiServer: string
  readonly etcd: string
  /** Not every folder in `KUBEBUILDER_ASSETS` has one. */
  readonly controllerManager: string | undefined
  readonly scheduler: string | undefined
  /** As the program prints it, such as `Kubernetes v1.20.2`. */
  readonly version: string
  /** The `20` of 1.20. */
  readonly minor: number
}

export type KubernetesSearch =
  | { readonly outcome: 'found'; readonly programs: KubernetesPrograms }
  | { readonly outcome: 'missing'; readonly reason: string }

/** The folder of programs that tests need and npm does not have. */
export const testTools = process.env.TENANT_TEST_TOOLS ?? join(homedir(), '.cache', 'tenant-test-tools')

const archive = resolve(import.meta.dirname, '../../..', sharedArchive)
const fetched = join(testTools, 'kubernetes')
let searched: KubernetesSearch | undefined

/** A real control plane: the folder in `KUBEBUILDER_ASSETS`, else the one of `fetch-kubernetes`. */
export function findKubernetes(): KubernetesSearch {
  searched ??= search()
  return searched
}

function search(): KubernetesSearch {
  const given = process.env.KUBEBUILDER_ASSETS ?? ''
  if (given === '' && !existsSync(fetched) && !existsSync(archive)) {
    return {
      outcome: 'missing',
      reason: `KUBEBUILDER_ASSETS is not set, and neither ${fetched} nor ${archive} is there`,
    }
  }
  const folder = given === '' ? unpacked() : given
  const peer = findPeer(folder, folder)
  if (peer.outcome === 'missing') return peer
  const { apiServer, etcd, version } = peer.binaries
  const beside = (name: string): string | undefined => {
    const path = join(dirname(apiServer), name)
    return existsSync(path) ? path : undefined
  }
  return {
    outcome: 'found',
    programs: {
      apiServer,
      etcd,
      controllerManager: beside('kube-controller-manager'),
      scheduler: beside('kube-scheduler'),
      version,
      minor: Number(/v1\.(\d+)/.exec(version)?.[1] ?? 0),
    },
  }
}

function unpacked(): string {
  if (existsSync(fetched)) return fetched
  mkdirSync(testTools, { recursive: true })
  const draft = mkdtempSync(join(testTools, 'unpacking-'))
  execFileSync('tar', ['-xJf', archive, '-C', draft], { stdio: 'pipe' })
  try {
    renameSync(draft, fetched)
  } catch {
    // Another run was faster.
    rmSync(draft, { recursive: true, force: true })
  }
  return fetched
}
