import { Command, Option } from 'commander'
import { ownImage } from '../../base/own-image.ts'
import { driverOption } from '../arguments/driver-option.ts'
import { positiveSecondsArgument } from '../arguments/duration-argument.ts'
import { given } from '../arguments/given.ts'
import { addHostOptions } from '../arguments/host-options.ts'
import { addLicenseIssuerOption } from '../arguments/license-issuer-option.ts'
import { platformOption } from '../arguments/platform-option.ts'
import { projectOption } from '../arguments/project-option.ts'
import { defaultNamespace, hostNamespaceOption, tenantNameArgument } from '../arguments/tenant-name.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { CreateCommandOptions } from './options.ts'

interface CreateFlags
  extends Omit<CreateCommandOptions, 'name' | 'namespace' | 'upgrade' | 'dryRun' | 'timeoutSeconds'> {
  readonly namespace?: string
  readonly upgrade?: boolean
  readonly dryRun?: boolean
  readonly timeout: number
}

/** The implementation is loaded when the command runs. */
export function createTenantCommand(terminal: Terminal): Command {
  const command = new Command('create')
    .description('Create a virtual cluster, or upgrade one.')
    .addArgument(tenantNameArgument())
    .addOption(hostNamespaceOption())
    .option('-f, --file <file>', 'its tenant.yaml; - reads standard input (default: all defaults)')
    .option('--upgrade', 'apply the configuration to a virtual cluster that exists')
    .addOption(projectOption())
    .addOption(driverOption())
    .option('--image <image>', `its image (default: the previous one, or ${ownImage()})`)
    .option('--no-link', 'do not register it with a platform or create a key')
    .addOption(platformOption())
  return addHostOptions(addLicenseIssuerOption(command))
    .option('--dry-run', 'print what would be applied, and change nothing')
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['yaml', 'json']).default('yaml'))
    .option('--no-wait', 'do not wait until it is ready')
    .option('--timeout <duration>', 'how long to wait: 5m, 90s, or seconds', positiveSecondsArgument, 300)
    .addHelpText('after', examples)
    .action(async (name: string, flags: CreateFlags) =>
      (await import('./create.ts')).createTenant(createOptions(name, flags), terminal),
    )
}

const examples = `
While you are logged in to a platform, the virtual cluster gets an access key of its own, limited to itself, in the Secret
tenant-platform-api-key, unless the configuration names another one (external.platform.apiKey).

--upgrade shows what changes, keeps changes that other clients made on the host, and rolls back if it fails.

Examples:
  tenant create demo
  tenant create web -n team-web -f tenant.yaml --project shop
  tenant create --upgrade web -n team-web -f tenant.yaml
  tenant create web --dry-run -o yaml | kubectl apply -f -
`

function createOptions(name: string, flags: CreateFlags): CreateCommandOptions {
  const { file, project, driver, image, licenseIssuer, platform, kubeconfig, context } = flags
  const { link, output, wait, timeout: timeoutSeconds } = flags
  return {
    name,
    namespace: flags.namespace ?? defaultNamespace(name),
    upgrade: flags.upgrade ?? false,
    dryRun: flags.dryRun ?? false,
    link,
    output,
    wait,
    timeoutSeconds,
    ...given({ file, project, driver, image, licenseIssuer, platform, kubeconfig, context }),
  }
}
