import { Command, InvalidArgumentError, Option } from 'commander'
import { licensedFeatures } from '../../auth/license/contract.ts'
import { positiveDurationArgument } from '../arguments/duration-argument.ts'
import { addLicenseIssuerOption } from '../arguments/license-issuer-option.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { IssueOptions, IssuerOptions, ShowLicenseOptions } from './options.ts'

/** The implementations are loaded when a command runs. */
export function licenseCommand(terminal: Terminal): Command {
  return new Command('license')
    .description('Issue and show licenses.')
    .addCommand(issuerCommand(terminal))
    .addCommand(issueCommand(terminal))
    .addCommand(showCommand(terminal))
}

function issuerCommand(terminal: Terminal): Command {
  return new Command('issuer')
    .description('Print the public key of an issuer, which platforms and tenants need to check licenses.')
    .requiredOption('--key <file>', "the issuer's private key (Ed25519, PEM)")
    .option('--create', 'create the key pair first; an existing file is left as it is')
    .addHelpText('after', '\nExamples:\n  tenant license issuer --key issuer.pem --create > issuer.pub\n')
    .action(async (flags: IssuerOptions) => (await import('./issuer.ts')).printIssuer(flags, terminal))
}

function issueCommand(terminal: Terminal): Command {
  return new Command('issue')
    .description('Sign a license, and print it.')
    .requiredOption('--key <file>', "the issuer's private key (Ed25519, PEM)")
    .requiredOption('--to <name>', 'the recipient')
    .addOption(
      new Option('--feature <feature>', 'a feature to include; can be repeated (default: all features)')
        .choices(licensedFeatures)
        .argParser(features),
    )
    .option('--virtual-clusters <number>', 'how many may be registered (default: no limit)', count)
    .option('--expire-after <duration>', 'lifetime: 52w, 90d (default: no end)', positiveDurationArgument)
    .addHelpText('after', issueExamples)
    .action(async (flags: IssueOptions) => (await import('./issue.ts')).issue(flags, terminal))
}

const issueExamples = `
A license is checked offline, with the public key of its issuer (tenant license issuer).

Examples:
  tenant license issue --key issuer.pem --to "Example Ltd" --expire-after 52w > license.jwt
  tenant license issue --key issuer.pem --to Try --feature platform-link --virtual-clusters 3
`

function showCommand(terminal: Terminal): Command {
  const command = new Command('show')
    .description('Show what a license includes and, given the public key of its issuer, whether it is valid.')
    .argument('<file>', 'the license; - reads it from standard input')
  return addLicenseIssuerOption(command)
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .addHelpText('after', showExamples)
    .action(async (file: string, flags: ShowLicenseOptions) =>
      (await import('./show.ts')).showLicense(file, flags, terminal),
    )
}

const showExamples = `
Exits with 1 if the license cannot be read or, with --license-issuer, if it is not valid now.

Examples:
  tenant license show license.jwt --license-issuer issuer.pub
  tenant license show license.jwt --license-issuer MCowBQYDK2VwAyEA… -o json
`

function features(text: string, before: readonly string[] = []): readonly string[] {
  const known: readonly string[] = licensedFeatures
  if (known.includes(text)) return [...new Set([...before, text])]
  throw new InvalidArgumentError(`The features are ${known.join(', ')}.`)
}

function count(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number
  throw new InvalidArgumentError('It must be a number.')
}
