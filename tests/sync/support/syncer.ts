import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { printKubeconfig } from '../../../src/cluster/kubeconfig.ts'
import { licenseFlags } from '../../support/license.ts'
import { builtCli } from '../../support/programs/built-cli.ts'
import { freeze } from '../../support/programs/freeze.ts'
import { type Program, startProgram } from '../../support/programs/program.ts'
import type { Access } from './cluster-client.ts'

const patienceMs = 240_000
const preload = pathToFileURL(join(import.meta.dirname, 'clock-preload.js')).href

export interface SyncerOptions {
  readonly tenant: string
  readonly hostNamespace: string
  readonly host: Access
  /** Absent: the embedded control plane. */
  readonly virtual?: Access
  /** tenant.yaml. */
  readonly config: string
  readonly flags?: readonly string[]
  /** Variables beside those of the test. */
  readonly environment?: NodeJS.ProcessEnv
}

/** `tenant run` in a separate process, which can be stopped and started. */
export interface Syncer {
  readonly pid: number
  /** The kubeconfig of the embedded control plane. */
  readonly kubeconfig: string
  /** Resolves when it reports that it runs. */
  start(): Promise<void>
  /** The same without waiting. */
  launch(): void
  /** Kills it at an arbitrary moment. */
  kill(): Promise<void>
  /** Stops it like an init system; returns its exit code. */
  stop(): Promise<string | undefined>
  /** How it ended, if it was not stopped. */
  readonly unexpectedEnd: string | undefined
  output(): string
  /** Replaces tenant.yaml atomically. */
  configure(config: string): void
  freeze(): void
  thaw(): void
  /** Sets its clock wrong by this offset from now on. */
  setClock(offsetMs: number): void
  remove(): Promise<void>
}

export function createSyncer(options: SyncerOptions): Syncer {
  const folder = mkdtempSync(join(tmpdir(), 'tenant-syncer-'))
  const file = (name: string) => join(folder, name)
  writeFileSync(file('host'), kubeconfigOf(options.host), { mode: 0o600 })
  if (options.virtual !== undefined) writeFileSync(file('virtual'), kubeconfigOf(options.virtual), { mode: 0o600 })
  writeFileSync(file('tenant.yaml'), options.config)
  const args = ['--import', preload, builtCli(), 'run', '--name', options.tenant, '-n', options.hostNamespace]
  args.push('-f', file('tenant.yaml'), '--host-kubeconfig', file('host'), ...licenseFlags(folder))
  if (options.virtual !== undefined) args.push('--virtual-kubeconfig', file('virtual'))
  else args.push('--data-dir', file('data'))
  args.push(...(options.flags ?? []))
  let program: Program | undefined
  let isWanted = false
  const launch = () => {
    isWanted = true
    const environment = { ...process.env, ...options.environment, TENANT_TEST_CLOCK: file('clock') }
    program = startProgram({ program: process.execPath, args, environment })
  }
  const end = async (how: 'kill' | 'stop') => {
    isWanted = false
    await program?.[how]()
  }
  return {
    get pid() {
      return program?.pid ?? 0
    },
    kubeconfig: file('data/kubeconfig'),
    launch,
    async start() {
      launch()
      await program?.until('ready', () => /^ready$/m.test(program?.output() ?? ''), patienceMs)
    },
    kill: () => end('kill'),
    async stop() {
      await end('stop')
      return program?.end
    },
    get unexpectedEnd() {
      return isWanted && program?.end !== undefined ? `${program.end}: ${program.output()}` : undefined
    },
    output: () => program?.output() ?? '',
    configure(config) {
      writeFileSync(file('next.yaml'), config)
      renameSync(file('next.yaml'), file('tenant.yaml'))
    },
    freeze: () => freeze(program?.pid),
    thaw: () => program?.signal('SIGCONT'),
    setClock(offsetMs) {
      writeFileSync(file('clock'), String(offsetMs))
    },
    async remove() {
      await end('kill')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function kubeconfigOf({ url, token, authority }: Access): string {
  return printKubeconfig([{ name: 'cluster', server: url, certificateAuthority: authority, token }])
}
