import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureCertificates } from '../../src/base/certificates/ensure.ts'
import { systemClock } from '../../src/base/clock.ts'
import { ServiceAccountKeyring } from '../../src/cluster/identity/service-account-keyring.ts'
import type { Launch } from '../contract.ts'
import { startProcess } from './process.ts'
import { freePort, until, untilReady } from './ready.ts'

/** Names the entry file of another build of ours to measure. */
const entryFile = process.env.TENANT_BENCH_ENTRY ?? 'dist/cli/main.js'
const extraNodeFlags = process.env.TENANT_BENCH_NODE_FLAGS?.split(' ') ?? []

export interface OurLaunchOptions {
  /** Whether certificates and keys already exist, as for every start but the first, and for the peer. */
  readonly withKeys: boolean
  /** Where objects are already stored; absent: an empty folder. */
  readonly store?: string
  /** Further options of `tenant platform serve`. */
  readonly flags?: readonly string[]
}

/** Our platform server as users run it. */
export function launchOurs(directory: string, options: OurLaunchOptions): Launch {
  return async () => {
    const home = mkdtempSync(join(directory, 'ours-'))
    if (options.withKeys) await prepareKeys(home)
    const port = await freePort()
    const logFile = join(home, 'server.log')
    const startedAt = performance.now()
    const server = startProcess(
      process.execPath,
      [
        ...extraNodeFlags,
        ...[entryFile, 'platform', 'serve'],
        ...['--store', `file:${options.store ?? join(home, 'store')}`, '--data-dir', home, '--port', String(port)],
        // kube-apiserver does not audit requests either, unless configured.
        ...['--audit-log', '-'],
        ...(options.flags ?? []),
      ],
      logFile,
    )
    const authority = () => contentOf(join(home, 'pki', 'ca.crt'))
    const token = () => contentOf(join(home, 'admin.key'))?.trim()
    try {
      await until('our server', [server], () => /^ready$/m.test(contentOf(logFile) ?? ''))
      await untilReady({ port, path: '/readyz', authority, token }, [server])
    } catch (error) {
      await server.stop()
      throw error
    }
    return {
      role: 'ours',
      host: '127.0.0.1',
      port,
      authority: authority() ?? '',
      token: token() ?? '',
      processIds: [server.id],
      startMs: performance.now() - startedAt,
      stop: () => server.stop(),
    }
  }
}

async function prepareKeys(home: string): Promise<void> {
  const pki = join(home, 'pki')
  await ensureCertificates({ directory: pki, name: 'platform', names: [], clock: systemClock })
  await ServiceAccountKeyring.open(join(pki, 'platform'), systemClock)
}

function contentOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
