import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningCluster } from '../../../support/clusters/running-cluster.ts'
import { freePort } from '../../../support/network/free-port.ts'
import { builtCli } from '../../../support/programs/built-cli.ts'
import { freeze } from '../../../support/programs/freeze.ts'
import { type Program, startProgram } from '../../../support/programs/program.ts'
import { ClusterClient } from '../../../sync/support/cluster-client.ts'
import type { Cluster } from '../../../sync/support/clusters.ts'

const token = 'chaos-token'
const patienceMs = 240_000

/** An API server with all kinds and controllers of a cluster. The test plays its nodes and its scheduler. */
export async function startPodHost(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tenant-chaos-host-'))
  const file = (name: string) => join(folder, name)
  writeFileSync(file('tokens'), `${token},chaos,chaos-uid,"system:masters"\n`, { mode: 0o600 })
  const port = await freePort()
  const args = [builtCli(), 'apiserver', '--data-dir', file('data'), '--port', String(port)]
  args.push('--token-auth-file', file('tokens'), '--log-level', 'error')
  let program: Program
  const start = async () => {
    program = startProgram({ program: process.execPath, args })
    await program.until('ready', () => /^ready$/m.test(program.output()), patienceMs)
  }
  await start()
  const server: RunningCluster = {
    url: `https://127.0.0.1:${port}`,
    port,
    token,
    authority: readFileSync(file('data/pki/ca.crt'), 'utf8'),
    kubeconfig: file('data/kubeconfig'),
    processIds: () => [program.pid],
    kill: () => program.kill(),
    start,
    freeze: () => freeze(program.pid),
    thaw: () => program.signal('SIGCONT'),
    remove: async () => {
      await program.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  const client = new ClusterClient(server)
  const remove = async () => {
    await client.close()
    await server.remove()
  }
  return { flavor: 'embedded', server, client, remove }
}
