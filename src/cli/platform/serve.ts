import { join, resolve } from 'node:path'
import { coreKinds } from '../../api/core/kinds.ts'
import { managementKinds } from '../../api/management/kinds.ts'
import { createLog, type Log } from '../../base/log.ts'
import { systemRandom } from '../../base/random.ts'
import { given } from '../arguments/given.ts'
import { quotaSettings } from '../arguments/quota-options.ts'
import { adminToken, serviceAccountKeys } from '../engine/identity.ts'
import { withRoomIn } from '../engine/room-at-start.ts'
import { startServer } from '../engine/start-server.ts'
import { platformLicense } from '../license/platform-license.ts'
import { print } from '../output/print.ts'
import { keepHeapSmall, letHeapGrow } from '../small-heap.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { untilStopped } from '../until-stopped.ts'
import { auditOptions } from './audit-flags.ts'
import type { ServeOptions } from './serve-options.ts'

export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const directory = resolve(options.dataDir)
  const log = createLog()
  letHeapGrow()
  const { admin, server } = await withRoomIn(directory, () => start(options, { directory, log, terminal }))
  keepHeapSmall()
  if (admin.isNew) print(terminal, `admin key (shown once, kept in ${admin.file}): ${admin.value}\n`)
  // Before it says so: whoever waits for that may end it at once.
  const stopped = untilStopped()
  print(terminal, `platform ${server.url}\nready\n`)
  await stopped
  await server.stop()
  log.flush()
}

interface StartParts {
  readonly directory: string
  readonly log: Log
  readonly terminal: Terminal
}

async function start(options: ServeOptions, { directory, log, terminal }: StartParts) {
  const { domain, store, port, host } = options
  const admin = await adminToken(directory, systemRandom)
  const server = await startServer({
    ...{ name: 'platform', directory, store, port, host, log },
    kinds: [...coreKinds(), ...managementKinds(domain)],
    adminToken: admin.value,
    serviceAccountKeys: await serviceAccountKeys(join(directory, 'pki', 'platform')),
    tls: options,
    server: { limits: limitsOf(options) },
    platform: await platformOptions(options, directory, terminal),
  })
  return { admin, server }
}

function limitsOf({ maxRequestsInFlight, maxStreamsPerCaller: maxOpenPerCaller }: ServeOptions) {
  return given({ maxRequestsInFlight, maxOpenPerCaller })
}

async function platformOptions(options: ServeOptions, directory: string, terminal: Terminal) {
  const { domain, maxKeyLifetime: maxLifetimeSeconds, advertiseUrl } = options
  const { expiredKeyRetention: retentionSeconds, keyUsageInterval: usageIntervalSeconds } = options
  const { confirmKeysWithin: confirmWithinSeconds } = options
  const { sessionIdleTimeout: sessionIdleSeconds, sessionLifetime: sessionSeconds } = options
  const { maxSessionsPerOwner: sessionsPerOwner } = options
  const audit = await auditOptions(options, directory, terminal)
  return {
    domain,
    settings: {
      maxLifetimeSeconds,
      ...given({ retentionSeconds, usageIntervalSeconds, confirmWithinSeconds, sessionIdleSeconds, sessionSeconds }),
      ...given({ sessionsPerOwner }),
    },
    quotas: quotaSettings(options),
    license: await platformLicense(options, terminal),
    ...given({ audit, advertiseUrl }),
  }
}
