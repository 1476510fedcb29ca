import { Command } from 'commander'
import { platformOption } from '../arguments/platform-option.ts'
import { type OutputFormat, outputOption } from '../output/format.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type AdminResetOptions, adminCommand, resetCommand } from './admin/admin-command.ts'
import { authCommand } from './auth/auth-command.ts'
import { installCommand, prepareCommand, uninstallCommand, upgradeCommand } from './install/install-command.ts'
import { keyActions } from './keys/key-actions.ts'
import { keysCommand } from './keys/keys-command.ts'
import { loginCommand } from './login/login-command.ts'
import { reissueCommand } from './reissue/reissue-command.ts'
import { rotateCommand } from './rotate/rotate-command.ts'
import { serveCommand } from './serve/serve-command.ts'
import type { WhoamiOptions } from './whoami.ts'

export function platformCommand(terminal: Terminal): Command {
  const reset = async (options: AdminResetOptions) =>
    (await import('./admin/admin-reset.ts')).adminReset(options, terminal)
  return new Command('platform')
    .description('Run and install the platform, log in to it, and manage its access keys.')
    .addCommand(installCommand(terminal))
    .addCommand(upgradeCommand(terminal))
    .addCommand(uninstallCommand(terminal))
    .addCommand(prepareCommand(terminal))
    .addCommand(serveCommand(terminal))
    .addCommand(adminCommand(terminal.env, reset))
    .addCommand(rotateCommand(terminal))
    .addCommand(resetCommand('reset-admin-key', terminal.env, reset), { hidden: true })
    .addCommand(
      loginCommand(terminal.env, async (options) => (await import('./login/login.ts')).login(options, terminal)),
    )
    .addCommand(logoutCommand(terminal))
    .addCommand(whoamiCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(useCommand(terminal))
    .addCommand(authCommand(async (options) => (await import('./auth/auth-test.ts')).authTest(options, terminal)))
    .addCommand(keysCommand(keyActions(terminal)))
    .addCommand(
      reissueCommand(async (options) => (await import('./reissue/reissue.ts')).reissueProof(options, terminal)),
    )
}

function logoutCommand(terminal: Terminal): Command {
  return new Command('logout')
    .description('Forget the key of a platform, and revoke the key if a sign-in in the browser created it.')
    .argument('[name]', 'the platform (default: the current one)')
    .addHelpText('after', '\nExamples:\n  tenant platform logout\n  tenant platform logout staging\n')
    .action(async (name: string | undefined) => (await import('./login/logout.ts')).logout(name, terminal))
}

function whoamiCommand(terminal: Terminal): Command {
  return new Command('whoami')
    .description('Show your user on the platform, the key in use, its scope and when it ends.')
    .addOption(outputOption())
    .addOption(platformOption())
    .addHelpText(
      'after',
      '\nExamples:\n  tenant platform whoami\n  tenant platform whoami -o json | jq .key.expiresAt\n',
    )
    .action(async (options: WhoamiOptions) => (await import('./whoami.ts')).whoami(options, terminal))
}

function listCommand(terminal: Terminal): Command {
  return new Command('list')
    .description('List the platforms that you are logged in to.')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  tenant platform list\n')
    .action(async (options: { readonly output: OutputFormat }) =>
      (await import('./platforms.ts')).listPlatforms(options, terminal),
    )
}

function useCommand(terminal: Terminal): Command {
  return new Command('use')
    .description('Make a platform the current one.')
    .argument('<name>', 'the platform')
    .addHelpText('after', '\nExamples:\n  tenant platform use staging\n')
    .action(async (name: string) => (await import('./platforms.ts')).usePlatform(name, terminal))
}
