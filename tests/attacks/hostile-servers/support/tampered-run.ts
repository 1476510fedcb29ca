import { onTestFinished } from 'vitest'
import { freePort } from '../../../support/network/free-port.ts'
import type { Access } from '../../../sync/support/cluster-client.ts'
import { createSyncer, type Syncer } from '../../../sync/support/syncer.ts'
import { startTampering, type Tamper } from './tampering.ts'

export interface TamperedRun {
  readonly tenant: string
  readonly syncer: Syncer
  readonly statusPort: number
}

export interface TamperedClusters {
  readonly virtual: { readonly server: Access & { readonly port: number } }
  readonly host: { readonly server: Access & { readonly port: number } }
}

let count = 0

/** `tenant run` between a virtual cluster and a host, one of which is tampered with. Ends with the test. */
export async function tamperedRun(
  clusters: TamperedClusters,
  side: 'virtual' | 'host',
  tamper: Tamper,
  config: object = {},
): Promise<TamperedRun> {
  const tenant = `hostile-${++count}`
  const server = await startTampering(clusters[side].server, tamper)
  const tampered = {
    ...clusters[side].server,
    url: `https://127.0.0.1:${server.port}`,
    authority: server.authority,
  }
  const statusPort = await freePort()
  const syncer = createSyncer({
    tenant,
    hostNamespace: tenant,
    host: side === 'host' ? tampered : clusters.host.server,
    virtual: side === 'virtual' ? tampered : clusters.virtual.server,
    config: JSON.stringify(config),
    flags: ['--status-port', String(statusPort)],
  })
  onTestFinished(() => syncer.remove())
  syncer.launch()
  return { tenant, syncer, statusPort }
}
