import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findKubectls } from '../clusters/kubectl.ts'
import { builtCli } from '../programs/built-cli.ts'
import type { SharedConnectedKubectl } from './contract.ts'

const seconds = 300

/** It runs beside all suites, and takes little while it waits: a suite that waited itself would delay others. */
export async function startConnectedKubectl() {
  const [kubectl] = findKubectls()
  if (kubectl === undefined) throw new Error('there is no kubectl')
  const folder = mkdtempSync(join(tmpdir(), 'tenant-connected-'))
  const script = join(import.meta.dirname, '../../connect/five-minutes/run')
  const args = [process.execPath, builtCli(), kubectl.command, folder, String(seconds)]
  const child = spawn(script, args, { stdio: 'ignore', env: { ...process.env, NODE_EXTRA_CA_CERTS: '' } })
  const ended = once(child, 'close')
  const part: SharedConnectedKubectl = { folder, seconds }
  const stop = async () => {
    child.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { part, stop }
}
