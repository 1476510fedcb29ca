import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Subject } from '../contract.ts'

const run = promisify(execFile)
const tool = resolve('../shared/tools/kubernetes')
const patienceMs = 150_000
const port = 27_443

export interface BenchNode {
  readonly subject: Subject
  /** The address of this machine, where Pods reach it. */
  readonly address: string
  readonly kubectl: string
  readonly kubeconfig: string
  /** Loads an image into it, from an archive. */
  load(archive: string): Promise<void>
}

/** A cluster with a node on which Pods really run: a machine has room for one, and only root may start it. */
export async function startNode(programs: string, root: string): Promise<BenchNode> {
  const env = { ...process.env, BIN: programs, ROOT: root, NODE: '1' }
  const stop = async () => void (await run(join(tool, 'down'), ['host', '--purge'], { env, timeout: patienceMs }))
  const startedAt = performance.now()
  try {
    await run(join(tool, 'up'), ['host', String(port)], { env, timeout: patienceMs })
  } catch (error) {
    await stop()
    throw error
  }
  const file = (name: string) => join(root, 'run/host', name)
  const words = [
    '-a',
    '/run/kubenode/containerd.sock',
    '-n',
    'k8s.io',
    'images',
    'import',
    '--snapshotter',
    'overlayfs',
  ]
  return {
    subject: {
      role: 'peer',
      host: '127.0.0.1',
      port,
      authority: readFileSync(file('pki/ca.crt'), 'utf8'),
      token: readFileSync(file('token'), 'utf8').trim(),
      processIds: [],
      startMs: performance.now() - startedAt,
      stop,
    },
    address: '10.244.0.1',
    kubectl: join(programs, 'kubectl'),
    kubeconfig: file('kubeconfig'),
    load: async (archive) => void (await run(join(programs, 'node/ctr'), [...words, archive], { timeout: patienceMs })),
  }
}
