import { Command, Option } from 'commander'
import { positiveDurationArgument } from '../arguments/duration-argument.ts'
import { given } from '../arguments/given.ts'
import { platformOption } from '../arguments/platform-option.ts'
import { projectOption } from '../arguments/project-option.ts'
import type { SessionFlags } from '../platform/session.ts'
import type { Terminal } from '../terminal/terminal.ts'

interface TokenFlags extends SessionFlags {
  readonly project: string
  readonly ttl?: number
}

/** `--ttl`, for the commands that lead to connection keys. */
export function connectionTtlOption(flags: string): Option {
  return new Option(flags, 'how long each short-lived key is good, from 10s to 1h (default: 15m)').argParser(
    positiveDurationArgument,
  )
}

export function tokenCommand(terminal: Terminal): Command {
  return new Command('token')
    .description('Print a short-lived key for a virtual cluster, as kubectl expects it of a credential plugin.')
    .argument('<name>', 'the virtual cluster')
    .addOption(projectOption('the project of the virtual cluster').makeOptionMandatory())
    .addOption(connectionTtlOption('--ttl <duration>'))
    .addOption(platformOption())
    .addHelpText('after', examples)
    .action(async (name: string, { project, platform, ttl: ttlSeconds }: TokenFlags) =>
      (await import('./token.ts')).token(
        { name, project, caller: process.ppid, ...given({ platform, ttlSeconds }) },
        terminal,
      ),
    )
}

const examples = `
kubectl runs this by itself: tenant connect writes it into the kubeconfig. What it prints is an ExecCredential with a key that
reaches this virtual cluster alone, ends soon, and ends at once when the key you are logged in with does. If that key may not
do everything in the virtual cluster, the new one may do what that key may. The same key is printed until it is about to end;
it is kept in a file beside that of your login, which only you can read.

Examples:
  tenant token demo --project shop
`
