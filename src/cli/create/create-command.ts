import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { addHostOptions } from '../host/host-options.ts'
import { packageVersion } from '../package-version.ts'
import { given } from '../platform/given.ts'
import { lifetimeArgument } from '../platform/keys/arguments.ts'
import { projectOption } from '../project/project-option.ts'
import type { Terminal } from '../terminal.ts'
import { whyNotTenantName } from './manifests/names.ts'
import type { CreateOptions, DriverName } from './options.ts'

interface CreateFlags extends Omit<CreateOptions, 'name' | 'namespace' | 'upgrade' | 'dryRun' | 'timeoutSeconds'> {
  readonly namespace?: string
  readonly upgrade?: boolean
  readonly dryRun?: boolean
  readonly timeout: number
}

/** What the command does is loaded when it runs. */
export function createTenantCommand(terminal: Terminal): Command {
  const command = new Command('create')
    .description('Create a virtual cluster, or bring one up to date.')
    .addArgument(tenantNameArgument())
    .option('-n, --namespace <namespace>', 'namespace on the host (default: tenant-NAME)')
    .option('-f, --file <file>', 'its configuration; - reads standard input (default: everything by default)')
    .option('--upgrade', 'apply the configuration to a virtual cluster that exists')
    .addOption(projectOption())
    .addOption(
      new Option('--driver <driver>', 'where it runs (default: local while tenant up is the current platform)').choices(
        ['kubernetes', 'local'] satisfies DriverName[],
      ),
    )
    .option('--image <image>', 'image of the virtual cluster', `tenant-platform:${packageVersion()}`)
    .option('--issuer <key>', 'public key of the issuer of licences, or a file with it')
    .option('--no-link', 'leave the platform alone: no key, no registration')
    .option('--platform <name>', 'the platform to talk to (default: the current one)')
  return addHostOptions(command)
    .option('--dry-run', 'print what would be applied, and change nothing')
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['yaml', 'json']).default('yaml'))
    .option('--no-wait', 'do not wait until it is ready')
    .option('--timeout <duration>', 'how long to wait', lifetimeArgument, 300)
    .addHelpText('after', examples)
    .action(async (name: string, flags: CreateFlags) =>
      (await import('./create.ts')).createTenant(createOptions(name, flags), terminal),
    )
}

const examples = `
While you are logged in to a platform, the virtual cluster gets an access key of its own, limited to itself, in the Secret
tenant-platform-api-key, unless the configuration names another one (external.platform.apiKey).

--upgrade keeps what others have changed on the host, shows what changes, and goes back if it fails.

Examples:
  tenant create demo
  tenant create web -n team-web -f tenant.yaml --project shop
  tenant create --upgrade web -n team-web -f tenant.yaml
  tenant create web --dry-run -o yaml | kubectl apply -f -
`

export function tenantNameArgument(): Argument {
  return new Argument('<name>', 'name of the virtual cluster').argParser((name: string) => {
    const problem = whyNotTenantName(name)
    if (problem === undefined) return name
    throw new InvalidArgumentError(`It cannot be the name of a virtual cluster: ${problem}.`)
  })
}

export function defaultNamespace(name: string): string {
  return `tenant-${name}`
}

export function createOptions(name: string, flags: CreateFlags): CreateOptions {
  const { file, project, driver, issuer, platform, kubeconfig, context } = flags
  const { image, link, output, wait, timeout: timeoutSeconds } = flags
  return {
    name,
    namespace: flags.namespace ?? defaultNamespace(name),
    upgrade: flags.upgrade ?? false,
    dryRun: flags.dryRun ?? false,
    ...{ image, link, output, wait, timeoutSeconds },
    ...given({ file, project, driver, issuer, platform, kubeconfig, context }),
  }
}
