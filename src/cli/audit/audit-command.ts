import { Command, InvalidArgumentError, Option } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import type { VerifyAuditOptions } from './options.ts'

export function auditCommand(terminal: Terminal): Command {
  return new Command('audit')
    .description('Check that the audit log of a platform was not changed.')
    .addCommand(verifyCommand(terminal))
}

function verifyCommand(terminal: Terminal): Command {
  return new Command('verify')
    .description('Check that an audit log and its rotated files are as the server wrote them.')
    .argument('[files...]', 'the logs (default: both of the data directory)')
    .option(
      '--data-dir <dir>',
      'the data directory of the platform (default: that of tenant platform serve or tenant up)',
    )
    .option('--head <sequence:hash>', 'the number and hash of a known line, as this command printed them', linkArgument)
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (files: readonly string[], flags: VerifyAuditOptions) =>
      (await import('./verify.ts')).verifyAudit(files, flags, terminal),
    )
}

const examples = `
Every line has a number and the hash of all lines before it. The command reports the place of each line that was changed,
removed, added or moved, and exits with 1. To detect that the end was cut off, or that the whole log was rewritten, keep the
head that this command prints on another machine (--head), or have the lines sent there (--audit-webhook-config-file of
tenant platform serve).

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
