import { Command } from 'commander'
import { type DriverName, driverOption } from '../arguments/driver-option.ts'
import { given } from '../arguments/given.ts'
import { addHostOptions } from '../arguments/host-options.ts'
import { platformOption } from '../arguments/platform-option.ts'
import { projectOption } from '../arguments/project-option.ts'
import { defaultNamespace, hostNamespaceOption, tenantNameArgument } from '../arguments/tenant-name.ts'
import type { HostFlags } from '../host/host-cluster.ts'
import type { SessionFlags } from '../platform/session.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { DeleteCommandOptions } from './options.ts'

interface DeleteFlags extends HostFlags, SessionFlags {
  readonly namespace?: string
  readonly project?: string
  readonly driver?: DriverName
  readonly keepData?: boolean
  readonly yes?: boolean
}

export function deleteTenantCommand(terminal: Terminal): Command {
  const command = new Command('delete')
    .description('Delete a virtual cluster and everything that was created for it.')
    .addArgument(tenantNameArgument())
    .addOption(hostNamespaceOption())
    .addOption(projectOption())
    .addOption(driverOption())
    .option('--keep-data', 'keep its volumes')
    .addOption(platformOption())
    .option('-y, --yes', 'do not ask for confirmation')
  return addHostOptions(command)
    .addHelpText('after', examples)
    .action(async (name: string, flags: DeleteFlags) =>
      (await import('./delete.ts')).deleteTenant(deleteOptions(name, flags), terminal),
    )
}

const examples = `
Shows what will be removed, and asks for confirmation: the objects that tenant create created, the copies on the host, the access key
and the registration. The namespace is removed as well if tenant create created it and it holds nothing else. At the end,
the command checks that nothing is left on the host.

Examples:
  tenant delete demo
  tenant delete web -n team-web --keep-data --yes
`

function deleteOptions(name: string, flags: DeleteFlags): DeleteCommandOptions {
  const { project, driver, kubeconfig, context, platform } = flags
  return {
    name,
    namespace: flags.namespace ?? defaultNamespace(name),
    keepData: flags.keepData ?? false,
    yes: flags.yes ?? false,
    ...given({ project, driver, kubeconfig, context, platform }),
  }
}
