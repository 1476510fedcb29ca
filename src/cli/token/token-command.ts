import { Command, InvalidArgumentError, Option } from 'commander'
import { connectionKeySeconds } from '../../api/management/connection-key-seconds.ts'
import { durationArgument } from '../arguments/duration-argument.ts'
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
  return new Option(flags, 'how long each short-lived key is valid, from 10s to 1h (default: 15m)').argParser(
    ttlArgument,
  )
}

/** The kubeconfig keeps it, so what the platform would refuse must not get in there. */
function ttlArgument(text: string): number {
  const seconds = durationArgument(text)
  if (seconds >= connectionKeySeconds.shortest && seconds <= connectionKeySeconds.longest) return seconds
  throw new InvalidArgumentError('It must be from 10s to 1h.')
}

export function tokenCommand(terminal: Terminal): Command {
  return new Command('token')
    .description('Print a short-lived key for a virtual cluster, in the format of a kubectl credential plugin.')
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
kubectl runs this command: tenant connect writes it into the kubeconfig. It prints an ExecCredential with a short-lived key that is
valid only for this virtual cluster, has no right that the key of your login lacks, and ends at once when that key ends. The
command prints the same key until it is about to end, and keeps it in a file that only you can
read, beside the file of your login.

Examples:
  tenant token demo --project shop
`
