import { type Command, Option } from 'commander'

export interface LicenseIssuerFlags {
  /** A public key, or a file with it. */
  readonly licenseIssuer?: string
}

/** `--license-issuer`. Some commands called it `--issuer` once, and all of them take that too. */
export function addLicenseIssuerOption(command: Command, note = ''): Command {
  return command
    .option('--license-issuer <key>', `the public key of the license's issuer, or a file with it${note}`)
    .addOption(new Option('--issuer <key>').hideHelp())
    .on('option:issuer', (key: string) => command.setOptionValueWithSource('licenseIssuer', key, 'cli'))
}
