import { Command, InvalidArgumentError } from 'commander'
import { given } from '../arguments/given.ts'
import { addHostOptions } from '../arguments/host-options.ts'
import { defaultNamespace, hostNamespaceOption, tenantNameArgument } from '../arguments/tenant-name.ts'
import type { HostFlags } from '../host/host-cluster.ts'
import type { Terminal } from '../terminal/terminal.ts'
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
    .addOption(hostNamespaceOption())
    .option('-f, --follow', 'keep printing new lines')
    .option('--previous', 'print the log of the process before the last restart')
    .option('--tail <lines>', 'print only the last lines', lines)
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
  throw new InvalidArgumentError('It must be a number of lines.')
}
