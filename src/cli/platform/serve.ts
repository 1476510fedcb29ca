import { join, resolve } from 'node:path'
import { coreKinds } from '../../api/core/kinds.ts'
import { managementKinds } from '../../api/management/kinds.ts'
import { createLog } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import { given } from '../arguments/given.ts'
import { adminToken, serviceAccountKeys } from '../engine/identity.ts'
import { startServer } from '../engine/start-server.ts'
import { platformLicense } from '../license/platform-license.ts'
import { print } from '../output/print.ts'
import { keepHeapSmall, letHeapGrow } from '../small-heap.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { untilStopped } from '../until-stopped.ts'
import { auditOptions } from './audit-flags.ts'
import type { ServeOptions } from './serve-options.ts'

export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const { domain, store, port, host } = options
  const directory = resolve(options.dataDir)
  const admin = await adminToken(directory, systemRandom)
  const log = createLog()
  letHeapGrow()
  const server = await startServer({
    ...{ name: 'platform', directory, store, port, host, log },
    kinds: [...coreKinds(), ...managementKinds(domain)],
    adminToken: admin.value,
    serviceAccountKeys: await serviceAccountKeys(join(directory, 'pki', 'platform')),
    tls: options,
    server: { limits: limitsOf(options) },
    platform: await platformOptions(options, directory, terminal),
  })
  keepHeapSmall()
  if (admin.isNew) print(terminal, `admin key (shown once, kept in ${admin.file}): ${admin.value}\n`)
  // Before it says so: whoever waits for that may end it at once.
  const stopped = untilStopped()
  print(terminal, `platform ${server.url}\nready\n`)
  await stopped
  await server.stop()
  log.flush()
}

function limitsOf({ maxRequestsInFlight, maxStreamsPerCaller: maxOpenPerCaller }: ServeOptions) {
  return given({ maxRequestsInFlight, maxOpenPerCaller })
}

async function platformOptions(options: ServeOptions, directory: string, terminal: Terminal) {
  const { domain, maxKeyLifetime: maxLifetimeSeconds, advertiseUrl } = options
  const { expiredKeyRetention: retentionSeconds, keyUsageInterval: usageIntervalSeconds } = options
  const { confirmKeysWithin: confirmWithinSeconds } = options
  const { sessionIdleTimeout: sessionIdleSeconds, sessionLifetime: sessionSeconds } = options
  const audit = await auditOptions(options, directory, terminal)
  return {
    domain,
    settings: {
      maxLifetimeSeconds,
      ...given({ retentionSeconds, usageIntervalSeconds, confirmWithinSeconds, sessionIdleSeconds, sessionSeconds }),
    },
    license: await platformLicense(options, terminal),
    ...given({ audit, advertiseUrl }),
  }
}
