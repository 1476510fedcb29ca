import { type Command, Option } from 'commander'

export interface LicenseIssuerFlags {
  /** A public key, or a file with one. */
  readonly licenseIssuer?: string
}

/** `--license-issuer`. All commands also accept `--issuer`, its former name in some of them. */
export function addLicenseIssuerOption(command: Command, note = ''): Command {
  return command
    .option('--license-issuer <key>', `the public key of the license's issuer, or a file with it${note}`)
    .addOption(new Option('--issuer <key>').hideHelp())
    .on('option:issuer', (key: string) => command.setOptionValueWithSource('licenseIssuer', key, 'cli'))
}
