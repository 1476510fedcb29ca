import { Argument, Command } from 'commander'
import { given } from '../arguments/given.ts'
import { platformOption } from '../arguments/platform-option.ts'
import { projectOption } from '../arguments/project-option.ts'
import type { SessionFlags } from '../platform/session.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { connectionTtlOption } from '../token/token-command.ts'
import type { ConnectOptions } from './options.ts'

interface ConnectFlags extends SessionFlags {
  readonly project?: string
  readonly print?: boolean
  readonly kubeconfig?: string
  readonly staticKey?: boolean
  readonly keyTtl?: number
}

export function connectCommand(terminal: Terminal): Command {
  return new Command('connect')
    .description('Make a virtual cluster the current context of kubectl, or run one command in it.')
    .argument('<name>', 'the virtual cluster')
    .addArgument(new Argument('[command...]', 'what to run, behind --'))
    .addOption(projectOption())
    .option('--print', 'print a kubeconfig and change nothing')
    .option('--kubeconfig <file>', 'the kubeconfig to write to (default: as kubectl finds it)')
    .addOption(connectionTtlOption('--key-ttl <duration>').conflicts('staticKey'))
    .option('--static-key', 'write your access key itself into the kubeconfig, for machines without this program')
    .addOption(platformOption())
    .addHelpText('after', examples)
    .action(async (name: string, command: readonly string[], flags: ConnectFlags) =>
      (await import('./connect.ts')).connect(connectOptions(name, command, flags), terminal),
    )
}

const examples = `
All requests go through the platform. The kubeconfig holds no secret: kubectl gets short-lived keys for this virtual cluster from
tenant token, which creates them with the key of your login. They end with that key, and are renewed automatically.
With --static-key the kubeconfig holds your access key, and every reader of the file can use it.
tenant disconnect restores the previous context.

Examples:
  tenant connect demo --project default
  tenant connect demo --print > demo.kubeconfig
  tenant connect demo --print --static-key > for-another-machine.kubeconfig
  tenant connect demo -p shop -- kubectl get namespaces
`

export function disconnectCommand(terminal: Terminal): Command {
  return new Command('disconnect')
    .description('Restore the context that kubectl had before tenant connect.')
    .option('--kubeconfig <file>', 'the kubeconfig to write to (default: as kubectl finds it)')
    .addHelpText('after', '\nExamples:\n  tenant disconnect\n')
    .action(async (flags: { readonly kubeconfig?: string }) =>
      (await import('./disconnect.ts')).disconnect(flags, terminal),
    )
}

function connectOptions(name: string, command: readonly string[], flags: ConnectFlags): ConnectOptions {
  const { project, kubeconfig, platform, print = false, staticKey = false, keyTtl: keyTtlSeconds } = flags
  return { name, command, print, staticKey, ...given({ project, kubeconfig, platform, keyTtlSeconds }) }
}
