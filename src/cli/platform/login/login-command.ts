import { Command, Option } from 'commander'
import { UsageError } from '../../../base/usage-error.ts'
import { readFingerprint } from '../../../client/connection/fingerprint.ts'
import { given } from '../../arguments/given.ts'
import { readName, readPlatformUrl } from '../platform-url.ts'
import type { LoginKeySource, LoginOptions } from './login-options.ts'

interface LoginFlags {
  readonly accessKey?: string
  readonly accessKeyStdin?: boolean
  readonly accessKeyPrompt?: boolean
  readonly device?: boolean
  readonly exchangeToken?: string
  readonly ca?: string
  readonly trustFingerprint?: string
  readonly name?: string
}

type Environment = Readonly<Record<string, string | undefined>>

export function loginCommand(env: Environment, login: (options: LoginOptions) => Promise<void>): Command {
  return new Command('login')
    .description('Log in to a platform with the browser or an access key, and make it the current one.')
    .argument('<url>', 'the address of the platform')
    .option('--access-key <key>', 'the key; other users of this machine can see it while the command runs')
    .addOption(new Option('--access-key-stdin', 'read the key from standard input').conflicts('accessKey'))
    .addOption(
      new Option('--access-key-prompt', 'ask for a key on the terminal instead of opening a browser').conflicts([
        'accessKey',
        'accessKeyStdin',
      ]),
    )
    .addOption(
      new Option('--device', 'sign in with a browser on another machine, with a code that is shown here').conflicts([
        'accessKey',
        'accessKeyStdin',
        'accessKeyPrompt',
      ]),
    )
    .addOption(
      new Option(
        '--exchange-token <file>',
        'exchange the token of a CI job or workload in this file (-: standard input) for a short-lived key',
      ).conflicts(['accessKey', 'accessKeyStdin', 'accessKeyPrompt', 'device']),
    )
    .option('--ca <file>', 'PEM file of the authority that signed the certificate of the platform')
    .addOption(
      new Option(
        '--trust-fingerprint <sha256>',
        'trust the certificate with this SHA-256 fingerprint, and no other',
      ).conflicts('ca'),
    )
    .option('--name <name>', 'a name for the platform (default: its host)')
    .addHelpText('after', examples)
    .action((url: string, flags: LoginFlags) => login(loginOptions(url, flags, env)))
}

const examples = `
Without a key, you sign in with the browser, if the platform has an identity provider (a Connector): the browser sends a code
to this computer that only this command can use. The command keeps a key that ends after 7 days. On a machine without a
browser, --device shows a code, which you type in a browser elsewhere.

A CI job or a workload needs no stored key: with --exchange-token it sends the token of its own issuer, which must be a
TrustedIssuer of the platform, and gets a key that ends within an hour.

The command reads a key with --access-key-stdin, from the environment variable TENANT_ACCESS_KEY or, on a terminal, from a
prompt. With --access-key, other users of this machine can see the key, and your shell may store it.

The platform is trusted if this machine trusts the authority of its certificate, or by --ca, or by a fingerprint: on a
terminal, the command shows the fingerprint once and asks; in scripts, use --trust-fingerprint. If the certificate changes
later, commands stop with an error.

Examples:
  tenant platform login https://platform.example.com
  tenant platform login https://platform.example.com --device
  tenant platform login https://platform.example.com --exchange-token /var/run/secrets/tokens/platform
  pass show ci-key | tenant platform login https://platform.example.com --access-key-stdin
  TENANT_ACCESS_KEY=… tenant platform login https://127.0.0.1:8443 --ca ~/.tenant/data/pki/ca.crt
  tenant platform login https://10.0.0.5:8443 --trust-fingerprint SHA256:3F:… --name staging
`

function loginOptions(url: string, flags: LoginFlags, env: Environment): LoginOptions {
  const { ca, name, trustFingerprint } = flags
  return {
    url: readPlatformUrl(url),
    key: keySource(flags, env),
    ...given({
      ca,
      name: name === undefined ? undefined : readName(name),
      fingerprint: trustFingerprint === undefined ? undefined : fingerprintOf(trustFingerprint),
    }),
  }
}

function keySource(
  { accessKey, accessKeyStdin, accessKeyPrompt, device, exchangeToken }: LoginFlags,
  { TENANT_ACCESS_KEY: inherited }: Environment,
): LoginKeySource {
  if (accessKey !== undefined) return { from: 'flag', value: accessKey }
  if (accessKeyStdin === true) return { from: 'stdin' }
  if (device === true) return { from: 'device' }
  if (exchangeToken !== undefined) return { from: 'exchange', file: exchangeToken }
  if (inherited) return { from: 'environment', value: inherited }
  return { from: accessKeyPrompt === true ? 'prompt' : 'browser' }
}

function fingerprintOf(text: string): string {
  const fingerprint = readFingerprint(text)
  if (fingerprint !== undefined) return fingerprint
  throw new UsageError(
    'a fingerprint is SHA256: and 64 hexadecimal digits, as openssl x509 -fingerprint -sha256 prints them',
  )
}
