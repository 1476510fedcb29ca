import { Command, Option } from 'commander'
import { given } from '../arguments/given.ts'
import { addHostOptions } from '../arguments/host-options.ts'
import { defaultNamespace, hostNamespaceOption, tenantNameArgument } from '../arguments/tenant-name.ts'
import type { HostFlags } from '../host/host-cluster.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { DoctorOptions } from './options.ts'

interface DoctorFlags extends HostFlags {
  readonly namespace?: string
  readonly file?: string
  readonly virtualKubeconfig?: string
  readonly output: 'text' | 'json'
}

export function doctorCommand(terminal: Terminal): Command {
  const command = new Command('doctor')
    .description('Find out why a virtual cluster does not link to its platform, and what to do about it.')
    .addArgument(tenantNameArgument())
    .addOption(hostNamespaceOption())
    .option('-f, --file <file>', 'its configuration (default: the one that it has on the host)')
    .option(
      '--virtual-kubeconfig <file>',
      'a kubeconfig of the virtual cluster, to compare each Pod with its copy on the host',
    )
  return addHostOptions(command)
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['text', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (name: string, flags: DoctorFlags) =>
      (await import('./doctor.ts')).doctor(doctorOptions(name, flags), terminal),
    )
}

const examples = `
Checks, in this order: the host, the configuration, the right to read nodes, the Pods and their copies, the Secret with the key, the rights to read it,
the address and certificate of the platform, the clocks, the key, its role and scope, the license, the link and the version.
Changes nothing, and shows no key. Exits with 1 if something is wrong.

With --virtual-kubeconfig, each Pod is compared with its copy on the host by the rules of the configuration. Differences that are found twice
in a row are explained.

Examples:
  tenant doctor demo
  tenant connect demo --print > demo.kubeconfig && tenant doctor demo --virtual-kubeconfig demo.kubeconfig
  tenant doctor web -n team-web -o json | jq '.findings[] | select(.state == "failed")'
`

function doctorOptions(name: string, flags: DoctorFlags): DoctorOptions {
  const { file, kubeconfig, context, output, virtualKubeconfig } = flags
  const namespace = flags.namespace ?? defaultNamespace(name)
  return { name, namespace, output, ...given({ file, kubeconfig, context, virtualKubeconfig }) }
}
