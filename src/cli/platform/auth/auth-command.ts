import { Command } from 'commander'
import { platformOption } from '../../arguments/platform-option.ts'
import type { AuthTestOptions } from './auth-test.ts'

export function authCommand(test: (options: AuthTestOptions) => Promise<void>): Command {
  return new Command('auth').description('How people sign in to the platform.').addCommand(testCommand(test))
}

function testCommand(test: (options: AuthTestOptions) => Promise<void>): Command {
  return new Command('test')
    .description('Try a connector, and say what works and what does not.')
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
The platform asks the identity provider: whether it answers, under the name that the connector gives it, with a certificate
that is trusted, which keys it publishes, and where it would send people. Whether it knows the client, its secret and the
redirect URI shows only when a user signs in: with --sign-in you do, and are told your user name, mail address and groups as
the platform would see them, and whether you would be let in. No User and no session comes of it. If the provider shows a
page with an error instead, it does not know the client or the redirect URI. Of a directory (LDAP) it tries whether the platform may search it, and finds
users and groups where the connector looks for them. Exits with 1 if something does not work.

Examples:
  tenant platform auth test corp
  tenant platform auth test corp --sign-in
`
