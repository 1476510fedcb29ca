import { Command } from 'commander'
import { auditOnFailureOption } from '../../arguments/audit-on-failure.ts'
import { countArgument } from '../../arguments/count-argument.ts'
import { dataDirectoryArgument, platformDataDirectory } from '../../arguments/data-directory.ts'
import { domainOption } from '../../arguments/domain-option.ts'
import {
  positiveDurationArgument,
  positiveSecondsArgument,
  secondsArgument,
} from '../../arguments/duration-argument.ts'
import { addLicenseIssuerOption } from '../../arguments/license-issuer-option.ts'
import { logFormatOption } from '../../arguments/log-format.ts'
import { oidcIssuerArgument } from '../../arguments/oidc-issuer-argument.ts'
import { parsePort } from '../../arguments/port.ts'
import { addProxyOptions } from '../../arguments/proxy-options.ts'
import { addQuotaOptions } from '../../arguments/quota-options.ts'
import { traceParentsOption } from '../../arguments/trace-parents.ts'
import { shutdownDelayOption } from '../../shutdown-delay.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { ServeOptions } from './serve-options.ts'

/** The implementation is loaded when the command runs. */
export function serveCommand(terminal: Terminal): Command {
  const command = new Command('serve').description('Run only the platform server. Several of them may share an etcd.')
  // Help shows options in the order in which they are added.
  addPlaceOptions(command, terminal)
  addCertificateOptions(command)
  addRecordOptions(command)
  addKeyOptions(command)
  addSessionOptions(command)
  addLoadOptions(command)
  command.option('--license <file>', 'the license that lets virtual clusters link')
  return addLicenseIssuerOption(addProxyOptions(addQuotaOptions(command)), ' (TENANT_LICENSE_ISSUER)')
    .addHelpText('after', examples)
    .action(async (options: ServeOptions) => (await import('./serve.ts')).serve(options, terminal))
}

function addPlaceOptions(command: Command, terminal: Terminal): void {
  command
    .requiredOption('--store <url>', 'where objects are kept: file:DIR or etcd:URL[,URL]')
    .option(
      '--encryption-keys <file>',
      'keys that encrypt Secrets and other confidential values in the store, one per line (default: no encryption)',
    )
    .addOption(domainOption())
    .option(
      '--data-dir <dir>',
      'where certificates and keys are kept',
      dataDirectoryArgument,
      platformDataDirectory(terminal.env),
    )
    .option('--port <number>', 'the HTTPS port; 0 picks a free one', parsePort, 8443)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--advertise-url <url>', 'the address at which other replicas reach this one (default: where it listens)')
}

function addCertificateOptions(command: Command): void {
  command
    .option(
      '--tls-cert <file>',
      'the server certificate with its chain (default: issued by an authority that is created for it)',
    )
    .option('--tls-key <file>', 'its key')
    .option('--tls-ca <file>', 'the authority that clients trust (default: the certificate itself)')
    .option('--tls-ca-key <file>', 'its key, with which the server certificate is issued and renewed')
    .option('--tls-name <name...>', 'additional names and addresses for the generated certificate')
}

function addRecordOptions(command: Command): void {
  command
    .option(
      '--admin-key-record <file>',
      "file with the hash of the administrator's key, as tenant platform install creates it (default: a key is created at the first start)",
    )
    .option(
      '--audit-log <file>',
      'where requests are recorded (default: audit.log in the data directory; - turns the audit log off)',
    )
    .option('--audit-policy <file>', 'which requests are recorded, as YAML (default: all but health and discovery)')
    .addOption(auditOnFailureOption())
    .addOption(logFormatOption())
    .addOption(traceParentsOption())
    .option(
      '--audit-webhook-config-file <file>',
      'send the lines of the audit log to the server of this kubeconfig as well (default: nowhere)',
    )
}

function addKeyOptions(command: Command): void {
  command
    .option(
      '--expired-key-retention <duration>',
      'how long expired keys stay listed: 30d, 12h, or seconds (default: 30d)',
      secondsArgument,
    )
    .option(
      '--confirm-keys-within <duration>',
      'on etcd: how long keys are accepted while etcd does not confirm that none was revoked: 5s, 30s (default: 5s)',
      positiveDurationArgument,
    )
    .option(
      '--key-usage-interval <duration>',
      'how often the use of keys is stored; a crash loses at most this much of it: 5m, 30s (default: 5m)',
      positiveDurationArgument,
    )
    .option(
      '--heartbeat-interval <duration>',
      'how often, at least, the status of a linked virtual cluster is stored: 5m, 1h (default: 5m)',
      positiveDurationArgument,
    )
}

function addSessionOptions(command: Command): void {
  command
    .option(
      '--session-idle-timeout <duration>',
      'how long a session in the console lasts without use: 12h, or seconds (default: 12h)',
      positiveSecondsArgument,
    )
    .option(
      '--session-lifetime <duration>',
      'maximum lifetime of such a session: 7d, or seconds (default: 7d)',
      positiveSecondsArgument,
    )
    .option(
      '--identity-refresh <duration>',
      'how often identity providers are asked about signed-in users: 15m, or seconds (default: 15m)',
      positiveSecondsArgument,
    )
    .option(
      '--oidc-issuer <url>',
      'let applications sign users in with their account of the platform; the value is its address with /oidc',
      oidcIssuerArgument,
    )
    .option(
      '--max-key-lifetime <duration>',
      'maximum lifetime of every access key: 90d, 12h, or seconds; 0: no maximum',
      secondsArgument,
      0,
    )
}

function addLoadOptions(command: Command): void {
  command
    .option(
      '--max-requests-in-flight <number>',
      'maximum requests in progress, shared among callers (default: 1000)',
      countArgument,
    )
    .option(
      '--max-streams-per-caller <number>',
      'maximum open watches and other requests without an end of one caller (default: 1000)',
      countArgument,
    )
    .addOption(shutdownDelayOption())
}

const examples = `
Examples:
  tenant platform serve --store file:/var/lib/tenant --license license.jwt --license-issuer issuer.pub
  tenant platform serve --store etcd:http://10.0.0.1:2379,http://10.0.0.2:2379 --domain example.com
  tenant platform serve --store 'etcd:https://10.0.0.1:2379?cafile=ca.crt&certfile=tls.crt&keyfile=tls.key&prefix=/team-a'
  tenant platform serve --store file:/var/lib/tenant --max-key-lifetime 90d --expired-key-retention 30d
  tenant platform serve --store file:/var/lib/tenant --host 10.0.0.5 --trusted-proxies 10.0.0.7,10.0.0.8
`
