import { Command, Option } from 'commander'
import { defaultNamespace, tenantNameArgument } from '../create/create-command.ts'
import type { DriverName } from '../create/options.ts'
import type { HostFlags } from '../host/host-cluster.ts'
import { addHostOptions } from '../host/host-options.ts'
import { given } from '../platform/given.ts'
import type { SessionFlags } from '../platform/session.ts'
import { projectOption } from '../project/project-option.ts'
import type { Terminal } from '../terminal.ts'
import type { DeleteOptions } from './options.ts'

interface DeleteFlags extends HostFlags, SessionFlags {
  readonly namespace?: string
  readonly project?: string
  readonly driver?: DriverName
  readonly keepData?: boolean
  readonly yes?: boolean
}

export function deleteTenantCommand(terminal: Terminal): Command {
  const command = new Command('delete')
    .description('Delete a virtual cluster and all that was made for it.')
    .addArgument(tenantNameArgument())
    .option('-n, --namespace <namespace>', 'namespace on the host (default: tenant-NAME)')
    .addOption(projectOption())
    .addOption(
      new Option('--driver <driver>', 'where it runs (default: local while tenant up is the current platform)').choices(
        ['kubernetes', 'local'] satisfies DriverName[],
      ),
    )
    .option('--keep-data', 'keep its volumes')
    .option('--platform <name>', 'the platform to talk to (default: the current one)')
    .option('-y, --yes', 'do not ask')
  return addHostOptions(command)
    .addHelpText('after', examples)
    .action(async (name: string, flags: DeleteFlags) =>
      (await import('./delete.ts')).deleteTenant(deleteOptions(name, flags), terminal),
    )
}

const examples = `
Removes what tenant create made, what the virtual cluster has synced to the host, its access key and its registration. The
namespace goes too if tenant create made it and nobody else has put anything into it.

Examples:
  tenant delete demo
  tenant delete web -n team-web --keep-data --yes
`

function deleteOptions(name: string, flags: DeleteFlags): DeleteOptions {
  const { project, driver, kubeconfig, context, platform } = flags
  return {
    name,
    namespace: flags.namespace ?? defaultNamespace(name),
    keepData: flags.keepData ?? false,
    yes: flags.yes ?? false,
    ...given({ project, driver, kubeconfig, context, platform }),
  }
}
