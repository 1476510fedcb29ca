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
    .addOption(new Option('--only <part...>', 'replace these parts alone (default: all three)').choices(rotationParts))
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
Nothing is interrupted. Open connections stay. Clients, kubeconfigs and links that trust the authority before go on, since it has
vouched for the new one; hand out the new one before the overlap ends. Tokens of service accounts count until they end.
All replicas on one store follow. Certificates are also replaced by themselves before they end, an authority a year before.

Examples:
  tenant platform rotate-certificates
  tenant platform rotate-certificates --only service-account-keys --overlap 1h
  tenant platform rotate-certificates --virtual-cluster dev --project shop
  tenant platform rotate-certificates --installed -n tenant-platform
`
