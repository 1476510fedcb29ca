import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FaultyHttps, startFaultyHttps } from '../support/network/faulty-https.ts'
import { type FaultyTcp, startFaultyTcp } from '../support/network/faulty-tcp.ts'
import type { Access } from '../sync/support/cluster-client.ts'
import type { Cluster } from '../sync/support/clusters.ts'

/** The syncer's path to a cluster, on which everything can fail. Users of the cluster take another one. */
export interface FaultyPath {
  readonly access: Access
  readonly tcp: FaultyTcp
  readonly https: FaultyHttps
  remove(): Promise<void>
}

export async function startFaultyPath({ server }: Cluster): Promise<FaultyPath> {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-faulty-'))
  const https = await startFaultyHttps({ directory, target: server })
  const tcp = await startFaultyTcp(https.port)
  return {
    access: { url: `https://127.0.0.1:${tcp.port}`, token: server.token, authority: https.authority },
    tcp,
    https,
    remove: async () => {
      await tcp.remove()
      await https.remove()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
