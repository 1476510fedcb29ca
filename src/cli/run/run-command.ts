import { Command } from 'commander'
import { dataDirectoryArgument } from '../arguments/data-directory.ts'
import { addLicenseIssuerOption } from '../arguments/license-issuer-option.ts'
import { logFormatOption } from '../arguments/log-format.ts'
import { logLevelOption } from '../arguments/log-level.ts'
import { parsePort } from '../arguments/port.ts'
import { traceParentsOption } from '../arguments/trace-parents.ts'
import { shutdownDelayOption } from '../shutdown-delay.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { RunOptions } from './options.ts'

/** The implementation is loaded when the command runs. */
export function runCommand(terminal: Terminal): Command {
  const command = new Command('run')
    .description(
      'Run one virtual cluster: its control plane, and the sync with its host. The Pod of a virtual cluster runs this command.',
    )
    .requiredOption('--name <name>', 'the name of the virtual cluster')
    .requiredOption('-n, --namespace <namespace>', 'its namespace on the host')
    .option('-f, --file <file>', 'its tenant.yaml; changes take effect without a restart (default: all defaults)')
    .option('--host-kubeconfig <file>', 'the kubeconfig of the host (default: KUBECONFIG, or the cluster this runs in)')
    .option(
      '--virtual-kubeconfig <file>',
      'the kubeconfig of a virtual API server (default: the embedded control plane)',
    )
    .option(
      '--data-dir <dir>',
      'where the embedded control plane keeps its data (default: ~/.tenant/tenants/NAME)',
      dataDirectoryArgument,
    )
    .option('--store <url>', 'where it keeps its objects: file:DIR or etcd:URL[,URL] (default: the data directory)')
    .option(
      '--controllers-kubeconfig <file>',
      'where a kubeconfig for a kube-controller-manager is written if tenant.yaml says controllers: external (default: controller-manager.kubeconfig in the data directory)',
    )
    .option('--port <number>', 'the HTTPS port of the embedded control plane; 0 picks a free one', parsePort, 0)
    .option('--host <address>', 'the address that it listens on', '127.0.0.1')
    .option(
      '--status-port <number>',
      'also serve /metrics, /debug/sync and health on this port of 127.0.0.1',
      parsePort,
    )
    .option('--dns-port <number>', 'also answer DNS for Pods on this port, by UDP and TCP', parsePort)
    .option('--dns-host <address>', 'the address for DNS', '127.0.0.1')
    .option('--license <file>', 'a separate license, for a virtual cluster without a platform')
  return addLicenseIssuerOption(command, ' (TENANT_LICENSE_ISSUER)')
    .addOption(logLevelOption('info'))
    .addOption(logFormatOption())
    .addOption(traceParentsOption())
    .addOption(shutdownDelayOption())
    .addHelpText('after', examples)
    .action(async (flags: RunOptions) => (await import('./run.ts')).run(flags, terminal))
}

const examples = `
Prints "ready" on a line of its own when everything is in step for the first time.

Examples:
  tenant run --name demo -n tenant-demo -f tenant.yaml --host-kubeconfig host.kubeconfig --data-dir ./demo
  kubectl --kubeconfig ./demo/kubeconfig get services
  tenant run --name demo -n tenant-demo -f tenant.yaml --virtual-kubeconfig virtual.kubeconfig --status-port 8081
`
