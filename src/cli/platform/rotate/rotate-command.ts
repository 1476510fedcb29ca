import { Command, Option } from 'commander'
import { rotationParts } from '../../../api/rotation.ts'
import { durationArgument } from '../../arguments/duration-argument.ts'
import { platformOption } from '../../arguments/platform-option.ts'
import { projectOption } from '../../arguments/project-option.ts'
import { outputOption } from '../../output/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { defaultPlatformNamespace } from '../install/names.ts'
import type { RotateCertificatesOptions } from './options.ts'

export function rotateCommand(terminal: Terminal): Command {
  return new Command('rotate-certificates')
    .description(
      'Replace the certificate, the authority and the service account keys of a platform or virtual cluster.',
    )
    .addOption(new Option('--only <part...>', 'replace only these parts (default: all three)').choices(rotationParts))
    .option(
      '--overlap <duration>',
      'how long the previous authority and keys stay valid (default: until they expire)',
      durationArgument,
    )
    .option('--virtual-cluster <name>', 'a virtual cluster of the platform (default: the platform itself)')
    .addOption(projectOption())
    .addOption(platformOption())
    .option('--installed', 'replace the authority of tenant platform install, which is in a Secret of the cluster')
    .option('-n, --namespace <namespace>', 'where it is installed', defaultPlatformNamespace)
    .option('--kubeconfig <file>', 'a kubeconfig that names the API server, or the cluster of --installed')
    .option('--context <name>', 'a context of the kubeconfig')
    .addOption(outputOption())
    .addHelpText('after', examples)
    .action(async (options: RotateCertificatesOptions) => {
      const { rotateCertificates } = await import('./rotate.ts')
      await rotateCertificates(options, terminal)
    })
}

const examples = `
No request fails, and open connections stay open. Clients, kubeconfigs and links that trust the previous authority keep working,
because it has signed the new one; distribute the new authority before the overlap ends. Tokens of service accounts stay
valid until they expire. The change applies to all replicas on one store. Servers also replace certificates automatically
before they expire, and an authority a year before.

Examples:
  tenant platform rotate-certificates
  tenant platform rotate-certificates --only service-account-keys --overlap 1h
  tenant platform rotate-certificates --virtual-cluster dev --project shop
  tenant platform rotate-certificates --installed -n tenant-platform
`
