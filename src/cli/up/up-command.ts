import { networkInterfaces } from 'node:os'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { UsageError } from '../../base/usage-error.ts'
import type { SimulatedTimes } from '../../controllers/simulated-node/settings.ts'
import type { Amount } from '../../registry/quota/ledger.ts'
import type { TraceParents } from '../../server/tracing/trace-exchange.ts'
import { type AuditOnFailure, auditOnFailureOption } from '../arguments/audit-on-failure.ts'
import { countArgument } from '../arguments/count-argument.ts'
import { dataDirectoryArgument, upDataDirectory } from '../arguments/data-directory.ts'
import { domainOption } from '../arguments/domain-option.ts'
import { given } from '../arguments/given.ts'
import { listenAddressArgument } from '../arguments/listen-address.ts'
import { type LogFormatFlag, logFormatOption } from '../arguments/log-format.ts'
import { type LogLevel, logLevelOption } from '../arguments/log-level.ts'
import { oidcIssuerArgument } from '../arguments/oidc-issuer-argument.ts'
import { parsePort } from '../arguments/port.ts'
import { addProxyOptions, type ProxyFlags, proxySettings } from '../arguments/proxy-options.ts'
import { addQuotaOptions, type QuotaFlags, quotaSettings } from '../arguments/quota-options.ts'
import { traceParentsOption } from '../arguments/trace-parents.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { simulatedTimesArgument, usualTimesText } from './host/simulated-times.ts'
import type { UpCommandOptions } from './options.ts'

interface UpFlags extends QuotaFlags, CapacityFlags, ProxyFlags {
  readonly dataDir: string
  readonly port: number
  readonly host?: string
  readonly hostContext?: string
  readonly demo: boolean
  readonly store?: string
  readonly domain: string
  readonly auditOnFailure: AuditOnFailure
  readonly simulatedTimes?: SimulatedTimes
  readonly oidcIssuer?: string
  readonly logLevel: LogLevel
  readonly logFormat: LogFormatFlag
  readonly traceParents: TraceParents
}

/** The servers are loaded only when they run: other commands start several times faster without them. */
export function upCommand(terminal: Terminal): Command {
  const command = new Command('up')
    .description(
      'Start everything on this machine: the platform with its console, an embedded host cluster with a simulated node, and a virtual cluster.',
    )
    .option(
      '--data-dir <dir>',
      'where data, certificates and the kubeconfig are kept',
      dataDirectoryArgument,
      upDataDirectory(terminal.env),
    )
    .option('--port <number>', "the platform's HTTPS port; 0 picks a free one", parsePort, 8443)
    .option(
      '--host <address>',
      'the address of this machine that the platform listens on; choose one that other machines can reach if virtual clusters run on them (default: 127.0.0.1)',
      listenAddressArgument,
    )
    .option(
      '--host-context <name>',
      'a context of your kubeconfig whose cluster is the host, instead of an embedded one; needs --host, an address that its Pods reach',
    )
    .option('--no-demo', 'start without the virtual cluster demo')
    .option(
      '--store <url>',
      'where the platform keeps its objects: file:DIR or etcd:URL[,URL] (default: the data directory)',
    )
    .addOption(domainOption())
    .option(
      '--simulated-times <times>',
      `how many milliseconds Pods on the simulated node take to start, become ready, run and stop (default: "${usualTimesText}")`,
      simulatedTimesArgument,
    )
    .option(
      '--oidc-issuer <url>',
      'let applications sign users in with their account of the platform; the value is its address with /oidc',
      oidcIssuerArgument,
    )
    .addOption(auditOnFailureOption())
  return addCapacityOptions(addProxyOptions(addQuotaOptions(command)))
    .addOption(logLevelOption('warn'))
    .addOption(logFormatOption())
    .addOption(traceParentsOption())
    .addHelpText('after', examples)
    .action(async (flags: UpFlags) => (await import('./up.ts')).up(upOptions(flags), terminal))
}

const examples = `
Examples:
  tenant up                                 serve on https://127.0.0.1:8443, with the virtual cluster demo
  tenant up --no-demo --port 0 --data-dir /tmp/try
  tenant up --host 192.0.2.10 --host-context kind-dev   virtual clusters here, their Pods on that cluster
  tenant up --host 192.0.2.10                 for virtual clusters on another cluster, whose Pods reach that address
  kubectl --kubeconfig ~/.tenant/data/kubeconfig --context platform get ownedaccesskeys
  kubectl --kubeconfig ~/.tenant/data/kubeconfig --context tenant_demo create deployment web --image=nginx
  kubectl --kubeconfig ~/.tenant/data/kubeconfig --context host -n tenant-demo get pods -o wide
`

function upOptions(flags: UpFlags): UpCommandOptions {
  const { port, hostContext, demo, domain, auditOnFailure, logLevel, logFormat, traceParents } = flags
  const directory = resolve(flags.dataDir)
  return {
    directory,
    port,
    host: listenAddress(flags),
    // A cluster of others gets nothing that was not requested.
    withDemo: demo && hostContext === undefined,
    store: flags.store ?? `file:${join(directory, 'platform')}`,
    domain,
    auditOnFailure,
    quotas: quotaSettings(flags),
    ...given({ hostContext }),
    ...given({ sessionsPerOwner: flags.maxSessionsPerOwner, simulatedTimes: flags.simulatedTimes }),
    ...given({ oidcIssuer: flags.oidcIssuer, proxies: proxySettings(flags) }),
    capacity: capacityOf(flags),
    logLevel,
    logFormat,
    traceParents,
  }
}

function listenAddress({ host, hostContext }: UpFlags): string {
  if (host !== undefined || hostContext === undefined) return host ?? '127.0.0.1'
  const own = outerAddresses()
  const examples = own.length === 0 ? '' : `, such as ${own.join(' or ')}`
  throw new UsageError(
    `--host-context needs --host: the address by which Pods of that cluster reach this machine${examples}`,
  )
}

function outerAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address)
}

interface CapacityFlags {
  readonly maxObjectsPerVirtualCluster: number
  /** MiB. */
  readonly maxStoragePerVirtualCluster: number
}

/** How much each virtual cluster may store on this machine. */
function addCapacityOptions(command: Command): Command {
  return command
    .option(
      '--max-objects-per-virtual-cluster <number>',
      'maximum objects of one virtual cluster',
      countArgument,
      20_000,
    )
    .option('--max-storage-per-virtual-cluster <MiB>', 'maximum size of these objects in MiB', countArgument, 256)
}

function capacityOf({ maxObjectsPerVirtualCluster, maxStoragePerVirtualCluster }: CapacityFlags): Amount {
  return { objects: maxObjectsPerVirtualCluster, bytes: maxStoragePerVirtualCluster * 1024 * 1024 }
}
