import { Command, InvalidArgumentError, Option } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import type { VerifyAuditOptions } from './options.ts'

export function auditCommand(terminal: Terminal): Command {
  return new Command('audit')
    .description('Check that the audit log of a platform is as it was written.')
    .addCommand(verifyCommand(terminal))
}

function verifyCommand(terminal: Terminal): Command {
  return new Command('verify')
    .description('Check that an audit log is as the server wrote it, with the files that were set aside.')
    .argument('[files...]', 'the logs (default: both of the data directory)')
    .option(
      '--data-dir <dir>',
      'the data directory of the platform (default: that of tenant platform serve or tenant up)',
    )
    .option(
      '--head <sequence:hash>',
      'a line that is known to have been written, as this command printed it',
      linkArgument,
    )
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (files: readonly string[], flags: VerifyAuditOptions) =>
      (await import('./verify.ts')).verifyAudit(files, flags, terminal),
    )
}

const examples = `
Every line has a number and the hash of all lines before it. A line that was changed, removed, added or moved is told with its
place, and the exit code is 1. That the end was cut off, or the whole log written anew, shows only against what is
known from elsewhere: keep the head that this command prints on another machine, or let lines be sent there
(--audit-webhook-config-file of tenant platform serve).

Examples:
  tenant audit verify
  tenant audit verify /var/log/tenant/audit.log --head 18223:4Qf…
`

function linkArgument(text: string): NonNullable<VerifyAuditOptions['head']> {
  const [, sequence, hash] = /^(\d{1,15}):([\w-]{43})$/.exec(text) ?? []
  if (sequence === undefined || hash === undefined) {
    throw new InvalidArgumentError('Must be the number of a line and its hash, as in "head 12:…".')
  }
  return { sequence: Number(sequence), hash }
}
