import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printKubeconfig } from '../../../src/cluster/kubeconfig.ts'
import { rememberKeys, restoreKeys } from '../../reliability/support/keys.ts'
import { freePort } from '../network/free-port.ts'
import { builtCli } from '../programs/built-cli.ts'
import { freeze } from '../programs/freeze.ts'
import { type Program, startProgram } from '../programs/program.ts'
import type { RunningCluster } from './running-cluster.ts'

const patienceMs = 240_000

/** Our own engine in a separate process, used as a plain cluster and not as a platform. */
export async function startEmbeddedCluster(directory = tmpdir()): Promise<RunningCluster> {
  const folder = mkdtempSync(join(directory, 'tenant-cluster-'))
  const home = join(folder, 'home')
  restoreKeys(home)
  const port = await freePort()
  const args = ['platform', 'serve', '--store', `file:${join(folder, 'store')}`, '--data-dir', home]
  args.push('--port', String(port), '--audit-log', '-')
  let program: Program
  const start = async () => {
    program = startProgram({ program: process.execPath, args: [builtCli(), ...args] })
    await program.until('ready', () => /^ready$/m.test(program.output()), patienceMs)
  }
  const remove = async () => {
    await program.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  await start()
  rememberKeys(home)
  const url = `https://127.0.0.1:${port}`
  const token = readFileSync(join(home, 'admin.key'), 'utf8').trim()
  const authority = readFileSync(join(home, 'pki/ca.crt'), 'utf8')
  const kubeconfig = join(folder, 'kubeconfig')
  const context = { name: 'embedded', server: url, certificateAuthority: authority, token }
  writeFileSync(kubeconfig, printKubeconfig([context]), { mode: 0o600 })
  return {
    url,
    port,
    token,
    authority,
    kubeconfig,
    processIds: () => [program.pid],
    kill: () => program.kill(),
    start,
    freeze: () => freeze(program.pid),
    thaw: () => program.signal('SIGCONT'),
    remove,
  }
}
