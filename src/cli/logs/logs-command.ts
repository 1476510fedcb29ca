import { Command, InvalidArgumentError } from 'commander'
import { defaultNamespace, tenantNameArgument } from '../create/create-command.ts'
import type { HostFlags } from '../host/host-cluster.ts'
import { addHostOptions } from '../host/host-options.ts'
import { given } from '../platform/given.ts'
import type { Terminal } from '../terminal.ts'
import type { LogsOptions } from './options.ts'

interface LogsFlags extends HostFlags {
  readonly namespace?: string
  readonly follow?: boolean
  readonly previous?: boolean
  readonly tail?: number
}

export function logsCommand(terminal: Terminal): Command {
  const command = new Command('logs')
    .description('Show the log of a virtual cluster.')
    .addArgument(tenantNameArgument())
    .option('-n, --namespace <namespace>', 'namespace on the host (default: tenant-NAME)')
    .option('-f, --follow', 'go on as it is written')
    .option('--previous', 'of the process before the last restart')
    .option('--tail <lines>', 'only the last lines', lines)
  return addHostOptions(command)
    .addHelpText('after', '\nExamples:\n  tenant logs demo -f\n  tenant logs web -n team-web --tail 100\n')
    .action(async (name: string, flags: LogsFlags) =>
      (await import('./logs.ts')).logs(logsOptions(name, flags), terminal),
    )
}

function logsOptions(name: string, flags: LogsFlags): LogsOptions {
  const { kubeconfig, context, tail, follow = false, previous = false } = flags
  return {
    name,
    namespace: flags.namespace ?? defaultNamespace(name),
    follow,
    previous,
    ...given({ kubeconfig, context, tail }),
  }
}

function lines(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It has to be a number of lines.')
}
