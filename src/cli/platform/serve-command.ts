import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { systemRandom } from '../../base/random.ts'
import { adminToken, serviceAccountKeys } from '../engine/identity.ts'
import type { TlsFlags } from '../engine/server-tls.ts'
import { parsePort } from '../port-argument.ts'
import { keepHeapSmall, letHeapGrow } from '../small-heap.ts'
import type { Terminal } from '../terminal.ts'
import { untilStopped } from '../until-stopped.ts'
import { type AuditFlags, auditOptions } from './audit-flags.ts'
import { given } from './given.ts'

interface ServeFlags extends TlsFlags, AuditFlags {
  readonly store: string
  readonly domain: string
  readonly dataDir: string
  readonly port: number
  readonly host: string
  readonly maxKeyLifetime: number
  readonly expiredKeyRetention?: number
  readonly advertiseUrl?: string
  readonly license?: string
  readonly licenseIssuer?: string
}

export function serveCommand(terminal: Terminal): Command {
  return new Command('serve')
    .description('Run the platform server alone. Several of them may share an etcd.')
    .requiredOption('--store <url>', 'where objects are kept: file:DIR or etcd:URL[,URL]')
    .option('--domain <domain>', 'the platform domain; the API group is management.<domain>', 'platform.internal')
    .option('--data-dir <dir>', 'where certificates and keys are kept', join(homedir(), '.tenant/platform'))
    .option('--port <number>', 'the HTTPS port; 0 picks a free one', parsePort, 8443)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--advertise-url <url>', 'where other replicas reach this one (default: where it listens)')
    .option('--tls-cert <file>', 'certificate to show, with its chain (default: one of an authority of our own)')
    .option('--tls-key <file>', 'its key')
    .option('--tls-ca <file>', 'the authority that clients trust (default: the certificate itself)')
    .option(
      '--audit-log <file>',
      'where requests are recorded (default: audit.log in the data directory; - for nowhere)',
    )
    .option('--audit-policy <file>', 'which requests are recorded, as YAML (default: all but health and discovery)')
    .option(
      '--expired-key-retention <seconds>',
      'how long expired keys stay as a record (default: 30 days)',
      parseSeconds,
    )
    .option('--max-key-lifetime <seconds>', 'caps the life of every access key; 0: no cap', parseSeconds, 0)
    .option('--license <file>', 'the licence that lets virtual clusters link')
    .option('--license-issuer <key>', "the public key of the licence's issuer, or a file with it")
    .addHelpText('after', examples)
    .action((flags: ServeFlags) => run(flags, terminal))
}

async function platformOptions(flags: ServeFlags, directory: string, terminal: Terminal) {
  const { domain, maxKeyLifetime: maxLifetimeSeconds, expiredKeyRetention: retentionSeconds } = flags
  const audit = await auditOptions(flags, directory, terminal)
  const { platformLicense } = await import('../license/platform-license.ts')
  const license = await platformLicense(flags, terminal)
  return {
    domain,
    settings: { maxLifetimeSeconds, ...given({ retentionSeconds }) },
    license,
    ...given({ audit, advertiseUrl: flags.advertiseUrl }),
  }
}

function parseSeconds(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It is a number of seconds.')
}

const examples = `
Examples:
  tenant platform serve --store file:/var/lib/tenant --license license.jwt --license-issuer issuer.pub
  tenant platform serve --store etcd:http://10.0.0.1:2379,http://10.0.0.2:2379 --domain example.com
`

async function run(flags: ServeFlags, terminal: Terminal): Promise<void> {
  const directory = resolve(flags.dataDir)
  const admin = await adminToken(directory, systemRandom)
  const [keys, { createLog }, { startServer }, { coreKinds }, { managementKinds }] = await Promise.all([
    serviceAccountKeys(join(directory, 'pki', 'platform')),
    import('../../base/log.ts'),
    import('../engine/start-server.ts'),
    import('../../api/core/kinds.ts'),
    import('../../api/management/kinds.ts'),
  ])
  const log = createLog()
  letHeapGrow()
  const server = await startServer({
    name: 'platform',
    directory,
    store: flags.store,
    kinds: [...coreKinds(), ...managementKinds(flags.domain)],
    adminToken: admin.value,
    serviceAccountKeys: keys,
    port: flags.port,
    host: flags.host,
    tls: flags,
    log,
    platform: await platformOptions(flags, directory, terminal),
  })
  keepHeapSmall()
  if (admin.isNew) terminal.stdout.write(`admin key (shown once, kept in ${admin.file}): ${admin.value}\n`)
  terminal.stdout.write(`platform ${server.url}\nready\n`)
  await untilStopped()
  await server.stop()
  log.flush()
}
