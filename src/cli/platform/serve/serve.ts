import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { systemClock } from '../../../base/clock.ts'
import { readEd25519PublicKey } from '../../../base/keys/ed25519.ts'
import { createLog, type Log } from '../../../base/log.ts'
import { UsageError } from '../../../base/usage-error.ts'
import { clusters } from '../../../cluster/clusters.ts'
import { type AdminKey, elsewhereText, platformIdentity, shownOnce } from '../../../cluster/identity/server-identity.ts'
import { startServer } from '../../../cluster/start-server.ts'
import { withRoomIn } from '../../../cluster/store/room-at-start.ts'
import { type AdminRecord, readableRecord } from '../../../platform/identity/admin-record.ts'
import { createLicenseHolder, type LicenseHolder } from '../../../platform/license/license-holder.ts'
import type { RequestTracing } from '../../../server/tracing/trace-exchange.ts'
import { given } from '../../arguments/given.ts'
import { logFormat } from '../../arguments/log-format.ts'
import { proxySettings } from '../../arguments/proxy-options.ts'
import { quotaSettings } from '../../arguments/quota-options.ts'
import { tracingOf } from '../../arguments/trace-parents.ts'
import { readIssuer } from '../../license/read-issuer.ts'
import { say } from '../../output/messages.ts'
import { print } from '../../output/print.ts'
import { delayShutdown } from '../../shutdown-delay.ts'
import { keepHeapSmall, letHeapGrow } from '../../small-heap.ts'
import { readInputText, whyUnreadable } from '../../terminal/read-text.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { untilStopped } from '../../until-stopped.ts'
import { requireWritable } from '../../writable-directory.ts'
import { auditOptions } from './audit-flags.ts'
import type { ServeOptions } from './serve-options.ts'

export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  const directory = resolve(options.dataDir)
  await requireWritable(directory)
  const log = createLog({ format: logFormat(options.logFormat, terminal) })
  const tracing = await tracingOf(options.traceParents, 'tenant-platform', terminal)
  letHeapGrow()
  const server = await withRoomIn(directory, () => start(options, { directory, log, terminal, tracing }))
  keepHeapSmall()
  tellAdminKey(server.admin, terminal)
  // Listen before printing `ready`: a process that waits for it may stop this one at once.
  const stopped = untilStopped()
  print(terminal, `platform ${server.url}\nready\n`)
  await stopped
  await delayShutdown(server, options)
  await server.stop()
  await tracing?.tracing.stop()
  log.flush()
}

interface StartParts {
  readonly directory: string
  readonly log: Log
  readonly terminal: Terminal
  readonly tracing: Omit<RequestTracing, 'server'> | undefined
}

async function start(options: ServeOptions, { directory, log, terminal, tracing }: StartParts) {
  const { store, port, host, tlsName: names = [] } = options
  const admin = options.adminKeyRecord === undefined ? undefined : await readAdminFile(options.adminKeyRecord)
  return startServer({
    name: 'platform',
    directory,
    store,
    port,
    host,
    names,
    log,
    cluster: clusters.platform,
    identity: (opened) => platformIdentity(opened, { directory, log, admin }),
    encryptionKeys: options.encryptionKeys,
    tls: options,
    server: {
      limits: limitsOf(options),
      ...given({ proxies: proxySettings(options) }),
      ...(tracing && { tracing: { ...tracing, server: 'platform' } }),
    },
    platform: await platformOptions(options, directory, terminal),
  })
}

/** The value at the first start only. */
function tellAdminKey(admin: AdminKey, terminal: Terminal): void {
  if (admin.form === 'elsewhere') say(terminal, elsewhereText(admin.record))
  else if (admin.form === 'kept' && admin.kept.isNew) print(terminal, shownOnce(admin.kept))
}

async function readAdminFile(file: string): Promise<AdminRecord> {
  const content = await readFile(file).catch((error: unknown) => {
    throw new UsageError(`cannot read ${file}: ${whyUnreadable(error)}`)
  })
  const record = readableRecord(content)
  if (record !== undefined) return record
  throw new UsageError(`${file} does not say which key is the administrator's: create it with tenant platform install`)
}

function limitsOf({ maxRequestsInFlight, maxStreamsPerCaller: maxOpenPerCaller }: ServeOptions) {
  return given({ maxRequestsInFlight, maxOpenPerCaller })
}

async function platformOptions(options: ServeOptions, directory: string, terminal: Terminal) {
  const { domain, maxKeyLifetime: maxLifetimeSeconds, advertiseUrl, oidcIssuer } = options
  const { heartbeatInterval: heartbeatSeconds } = options
  const { expiredKeyRetention: retentionSeconds, keyUsageInterval: usageIntervalSeconds } = options
  const { confirmKeysWithin: confirmWithinSeconds } = options
  const { sessionIdleTimeout: sessionIdleSeconds, sessionLifetime: sessionSeconds } = options
  const { maxSessionsPerOwner: sessionsPerOwner, identityRefresh: identityRefreshSeconds } = options
  const audit = await auditOptions(options, directory, terminal)
  return {
    domain,
    settings: {
      maxLifetimeSeconds,
      ...given({ retentionSeconds, usageIntervalSeconds, confirmWithinSeconds, sessionIdleSeconds, sessionSeconds }),
      ...given({ sessionsPerOwner, identityRefreshSeconds }),
    },
    quotas: quotaSettings(options),
    license: await platformLicense(options, terminal),
    ...given({ audit, advertiseUrl, oidcIssuer, heartbeatSeconds }),
  }
}

interface PlatformLicenseOptions {
  readonly license?: string
  readonly licenseIssuer?: string
}

/** The license that a platform gets at its start. An invalid one is reported when a virtual cluster wants to link. */
async function platformLicense(flags: PlatformLicenseOptions, terminal: Terminal): Promise<LicenseHolder> {
  const { license, licenseIssuer = terminal.env.TENANT_LICENSE_ISSUER } = flags
  const document = license === undefined ? undefined : (await readInputText(license, terminal)).text.trim()
  const issuerKey = licenseIssuer ? readEd25519PublicKey(await readIssuer(licenseIssuer, terminal)) : undefined
  return createLicenseHolder({ document, issuerKey, clock: systemClock })
}
