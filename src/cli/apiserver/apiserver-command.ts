import { Command, InvalidArgumentError, Option } from 'commander'
import { errorText } from '../../base/error-text.ts'
import { addressRange } from '../../registry/allocation/address-range.ts'
import { dataDirectoryArgument } from '../arguments/data-directory.ts'
import { logFormatOption } from '../arguments/log-format.ts'
import { logLevelOption } from '../arguments/log-level.ts'
import { parsePort } from '../arguments/port.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { ApiServerFlags } from './options.ts'

/** Loads the server only when it runs. */
export function apiServerCommand(terminal: Terminal): Command {
  return new Command('apiserver')
    .description('Run only a Kubernetes API server, for tests of operators and clients: no node, no scheduler.')
    .requiredOption(
      '--data-dir <dir>',
      'where objects, certificates and the kubeconfig are kept',
      dataDirectoryArgument,
    )
    .option('--store <url>', 'where objects are kept: file:DIR or etcd:URL[,URL] (default: the data directory)')
    .option('--port <number>', 'the HTTPS port on 127.0.0.1; 0 picks a free one', parsePort, 6443)
    .option(
      '--token-auth-file <file>',
      'CSV file of users: token,user,uid[,"group1,group2"], as kube-apiserver reads it',
    )
    .option(
      '--admission-control-config-file <file>',
      'AdmissionConfiguration in the format of kube-apiserver, with the credentials for admission webhooks',
    )
    .option('--service-cluster-ip-range <cidr>', 'the range of cluster addresses', rangeArgument, '10.96.0.0/16')
    .addOption(
      new Option('--controllers <which>', 'none: like kube-apiserver without kube-controller-manager')
        .choices(['all', 'none'])
        .default('all'),
    )
    .option(
      '--leader-elect-lease-duration <seconds>',
      'with several servers on one etcd: how long the others wait before one of them takes over the controllers',
      leaseArgument,
      15,
    )
    .addOption(logLevelOption('warn'))
    .addOption(logFormatOption())
    .addHelpText('after', examples)
    .action(async (flags: ApiServerFlags) => (await import('./apiserver.ts')).apiServer(flags, terminal))
}

const examples = `
Prints "ready" when it accepts requests, and writes a kubeconfig for an administrator to DIR/kubeconfig.

Examples:
  tenant apiserver --data-dir /tmp/api --port 0
  kubectl --kubeconfig /tmp/api/kubeconfig get namespaces
  tenant apiserver --data-dir /tmp/api --token-auth-file users.csv --controllers none
  tenant apiserver --data-dir /tmp/api --admission-control-config-file admission.yaml

Several servers may share an etcd, each with its own data directory. Give all of them the same --token-auth-file, so that all know its users. For
tokens of service accounts, copy DIR/pki from one server to the others before they start.
  tenant apiserver --data-dir /tmp/api-1 --store etcd:http://127.0.0.1:2379 --token-auth-file users.csv --port 0
`

function leaseArgument(text: string): number {
  const seconds = Number(text)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 3_600)
    throw new InvalidArgumentError('It must be a whole number of seconds from 1 to 3600.')
  return seconds
}

function rangeArgument(text: string): string {
  try {
    return addressRange(text).cidr
  } catch (error) {
    throw new InvalidArgumentError(errorText(error))
  }
}
