import { Command } from 'commander'
import { platformOption } from '../../arguments/platform-option.ts'
import type { AuthTestOptions } from './auth-test.ts'

export function authCommand(test: (options: AuthTestOptions) => Promise<void>): Command {
  return new Command('auth').description('Test how users sign in to the platform.').addCommand(testCommand(test))
}

function testCommand(test: (options: AuthTestOptions) => Promise<void>): Command {
  return new Command('test')
    .description('Test a connector, and report what works and what does not.')
    .argument('<name>', 'the connector')
    .option(
      '--sign-in',
      'sign in through the connector in the browser and show who you are there; no session is created',
    )
    .addOption(platformOption())
    .addHelpText('after', examples)
    .action((name: string, flags: Omit<AuthTestOptions, 'name'>) => test({ ...flags, name }))
}

const examples = `
The platform asks the identity provider and reports whether it answers, whether its name and certificate are as expected, which
keys it publishes, and where it sends users to sign in. Only a sign-in shows whether the provider knows the client, its
secret and the redirect URI: with --sign-in, you sign in, and the command shows your user name, mail address and groups as
the platform would see them, and whether you could sign in. It creates no User and no session. If the provider shows an
error page instead, it does not know the client or the redirect URI. For an LDAP directory, the command checks that the
platform may search it, and that it has users and groups where the connector looks for them. Exits with 1 if something does
not work.

Examples:
  tenant platform auth test corp
  tenant platform auth test corp --sign-in
`
