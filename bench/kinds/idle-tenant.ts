import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Limit } from '../controllers/limits.ts'
import { startEmbeddedHost } from '../pods/embedded-host.ts'
import { startTenant } from '../pods/tenant.ts'
import { usageOf } from '../servers/usage.ts'
import { median } from '../statistics.ts'
import { Api } from '../sync/api.ts'

const megabyte = 1024 * 1024
const restMs = 8_000

/** A virtual cluster with all kinds and no objects, on a host that is only the engine. Its first start does not count. */
export async function measureIdleTenant(directory: string, rounds: number): Promise<readonly Limit[]> {
  const home = mkdtempSync(join(directory, 'idle-'))
  const host = await startEmbeddedHost(join(home, 'host'))
  const api = new Api(host.subject)
  try {
    await api.createNamespace('tenant')
    const starts: { readonly startMs: number; readonly megabytes: number }[] = []
    for (let round = -1; round < rounds; round++) {
      const { subject } = await startTenant(host, join(home, 'tenant'), 'tenant')
      await delay(restMs)
      const megabytes = usageOf(subject.processIds).residentBytes / megabyte
      await subject.stop()
      if (round >= 0) starts.push({ startMs: subject.startMs, megabytes })
    }
    return [
      {
        what: 'an idle virtual cluster, memory',
        value: median(starts.map(({ megabytes }) => megabytes)),
        unit: 'MB',
        most: 110,
      },
      { what: 'its start', value: median(starts.map(({ startMs }) => startMs)), unit: 'ms', most: 800 },
    ]
  } finally {
    await api.close()
    await host.subject.stop()
  }
}
