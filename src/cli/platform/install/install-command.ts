import { Command, InvalidArgumentError, Option } from 'commander'
import { ownImage } from '../../../base/own-image.ts'
import { packageVersion } from '../../../base/package-version.ts'
import { countArgument } from '../../arguments/count-argument.ts'
import { positiveSecondsArgument } from '../../arguments/duration-argument.ts'
import { given } from '../../arguments/given.ts'
import { addHostOptions } from '../../arguments/host-options.ts'
import { parsePort } from '../../arguments/port.ts'
import type { HostFlags } from '../../host/host-cluster.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { defaultPlatformNamespace } from './names.ts'
import type { InstallOptions, UninstallOptions } from './options.ts'
import { exposures, type InstallChoices } from './settings.ts'

/** The choices as named by flags: repeatable flags are in the singular. */
interface ChoiceFlags
  extends Omit<
    InstallChoices,
    'imagePullSecrets' | 'ingressAnnotations' | 'serveOptions' | 'adminKeyMark' | 'foundAddress'
  > {
  readonly imagePullSecret?: readonly string[]
  readonly ingressAnnotation?: Readonly<Record<string, string>>
  readonly serveOption?: readonly string[]
}

interface InstallFlags extends ChoiceFlags, HostFlags {
  readonly namespace: string
  readonly newAdminKey?: boolean
  readonly dryRun?: boolean
  readonly output: 'yaml' | 'json'
  readonly wait: boolean
  readonly timeout: number
}

/** The implementations are loaded when a command runs. */
export function installCommand(terminal: Terminal): Command {
  const command = new Command('install').description(
    'Install the platform in the current cluster, or bring it up to date.',
  )
  return addWaitOptions(addChoiceOptions(addNamespaceOption(command)))
    .option('--dry-run', 'print what would be applied, and ask no cluster')
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['yaml', 'json']).default('yaml'))
    .addHelpText('after', installExamples)
    .action(async (flags: InstallFlags) =>
      (await import('./install.ts')).installPlatform(installOptions('install', flags), terminal),
    )
}

const installExamples = `
Makes a namespace with a StatefulSet and a volume, or a Deployment on an etcd that you name; a Service, a NetworkPolicy and,
as asked, an Ingress; certificates that the platform renews itself, unless --tls-secret names others; a license of its
own, unless --license-secret names another. The administrator's key is shown once; the cluster keeps its hash alone.

Run again, it changes what is different and nothing else. What was chosen before stays, unless it is chosen anew; an empty
value, such as --tls-secret "", takes a choice back.

Examples:
  tenant platform install
  tenant platform install --expose load-balancer --address platform.example.com
  tenant platform install --expose ingress --ingress-class nginx --address platform.example.com --tls-secret platform-tls
  tenant platform install --store etcd:http://etcd-0.etcd:2379,http://etcd-1.etcd:2379 --replicas 3
  tenant platform install --etcd-secret platform-etcd --replicas 3
  tenant platform install --serve-option --max-key-lifetime=90d
  tenant platform prepare && tenant platform install --dry-run -o yaml > platform.yaml
`

export function upgradeCommand(terminal: Terminal): Command {
  const command = new Command('upgrade').description('Bring an installed platform up to date, and say what changes.')
  return addWaitOptions(addChoiceOptions(addNamespaceOption(command)))
    .option('--new-admin-key', "make a new administrator's key, and end the previous one")
    .addHelpText('after', upgradeExamples)
    .action(async (flags: InstallFlags) =>
      (await import('./install.ts')).installPlatform(installOptions('upgrade', flags), terminal),
    )
}

const upgradeExamples = `
What was chosen before stays, unless it is chosen anew. If something fails, or the platform is not ready in time, what was
there before is applied again. Fields that others have changed stay as they are.

Examples:
  tenant platform upgrade
  tenant platform upgrade --image registry.example.com/tenant-platform:${packageVersion()}
  tenant platform upgrade --new-admin-key
`

export function prepareCommand(terminal: Terminal): Command {
  const command = new Command('prepare').description(
    "Make the namespace and the Secrets of a platform that is applied by other means, and show the administrator's key once.",
  )
  return addHostOptions(
    addNamespaceOption(command)
      .option('--tls-secret <name>', 'the Secret with the certificate (default: an authority is made)')
      .option('--license-secret <name>', 'the Secret with the license (default: one is made)')
      .option('--no-encryption', 'make no keys for the encryption of the store'),
  )
    .addHelpText('after', prepareExamples)
    .action(async ({ namespace, kubeconfig, context, ...flags }: InstallFlags) => {
      const options = { namespace, choices: choicesOf(flags), ...given({ kubeconfig, context }) }
      await (await import('./prepare.ts')).preparePlatform(options, terminal)
    })
}

const prepareExamples = `
For the objects that tenant platform install --dry-run prints for a repository: they refer to Secrets, which do not belong
in a repository. What exists already is kept.

Examples:
  tenant platform prepare
  tenant platform prepare -n platform --tls-secret platform-tls
`

export function uninstallCommand(terminal: Terminal): Command {
  const command = new Command('uninstall').description(
    'Remove an installed platform, and keep its data unless told otherwise.',
  )
  return addHostOptions(
    addNamespaceOption(command)
      .option('--delete-data', 'remove its volume, keys, certificates and license, too')
      .option('-y, --yes', 'do not ask'),
  )
    .addHelpText('after', uninstallExamples)
    .action(async (flags: Partial<UninstallOptions> & { readonly namespace: string }) => {
      const { namespace, kubeconfig, context, deleteData = false, yes = false } = flags
      const options = { namespace, deleteData, yes, ...given({ kubeconfig, context }) }
      await (await import('./uninstall.ts')).uninstallPlatform(options, terminal)
    })
}

const uninstallExamples = `
Says what it keeps: the volume, and the Secrets with the certificate authority, the license, the encryption keys and the
hash of the administrator's key. tenant platform install goes on from there. Virtual clusters run on without their platform.

Examples:
  tenant platform uninstall
  tenant platform uninstall --delete-data --yes
`

function addNamespaceOption(command: Command): Command {
  return command.option('-n, --namespace <namespace>', 'the namespace of the platform', defaultPlatformNamespace)
}

function addChoiceOptions(command: Command): Command {
  return command
    .option('--image <image>', `the image of the platform (default: ${ownImage()}, as npm run image names it)`)
    .option('--image-pull-secret <name...>', 'Secrets by which the nodes pull it')
    .option('--store <url>', 'etcd:URL[,URL], where objects are kept (default: embedded, on a volume)')
    .option(
      '--etcd-secret <name>',
      'a Secret with endpoints, ca.crt, tls.crt and tls.key: an etcd that asks for certificates',
    )
    .option('--replicas <number>', 'number of replicas, with etcd (default: 2)', countArgument)
    .option('--storage-size <size>', 'size of the volume (default: 10Gi)')
    .option('--storage-class <name>', "class of the volume (default: the cluster's default)")
    .addOption(
      new Option('--requests <name=amount...>', 'what a Pod requests (default: cpu=100m memory=256Mi)').argParser(
        amount,
      ),
    )
    .addOption(
      new Option('--limits <name=amount...>', 'what a Pod may use at most (default: no limits)').argParser(amount),
    )
    .option(
      '--domain <domain>',
      'the platform domain; the API group is management.<domain> (default: platform.internal)',
    )
    .addOption(new Option('--expose <how>', 'how clients get in (default: cluster)').choices(exposures))
    .option('--address <name>', 'the name or IP address that clients and virtual clusters use')
    .option('--node-port <number>', 'the port on the nodes (default: the cluster picks one)', parsePort)
    .option('--ingress-class <name>', "class of the Ingress (default: the cluster's default)")
    .addOption(new Option('--ingress-annotation <name=value...>', 'annotations of the Ingress').argParser(annotation))
    .option('--tls-secret <name>', 'a Secret of type kubernetes.io/tls to serve with (default: made and renewed)')
    .option('--license-secret <name>', 'a Secret with license and issuer (default: every feature, without an expiry)')
    .option('--encryption', 'encrypt Secrets and other confidential values in the store (default for a new platform)')
    .option('--no-encryption', 'do not encrypt them')
    .option('--service-monitor', 'make a ServiceMonitor (default: where the cluster serves its kind)')
    .option('--no-service-monitor', 'make none')
    .option('--prometheus-rule', 'make a PrometheusRule with alerts (default: where the cluster serves its kind)')
    .option('--no-prometheus-rule', 'make none')
    .option('--serve-option <option...>', 'further options of tenant platform serve, as --name=value')
}

function addWaitOptions(command: Command): Command {
  return addHostOptions(command)
    .option('--no-wait', 'do not wait until it is ready')
    .option('--timeout <duration>', 'how long to wait: 5m, 90s, or seconds', positiveSecondsArgument, 300)
}

type Named = Readonly<Record<string, string>>

function annotation(text: string, before?: Named): Named {
  return withNamed(text, before, 'An annotation is name=value.')
}

function amount(text: string, before?: Named): Named {
  return withNamed(text, before, 'An amount is name=amount, such as memory=512Mi.')
}

function withNamed(text: string, before: Named = {}, form: string): Named {
  const [name = '', ...value] = text.split('=')
  if (name === '' || value.length === 0) throw new InvalidArgumentError(form)
  return { ...before, [name]: value.join('=') }
}

function installOptions(mode: InstallOptions['mode'], flags: InstallFlags): InstallOptions {
  const { namespace, output = 'yaml', wait, timeout, kubeconfig, context } = flags
  return {
    namespace,
    choices: choicesOf(flags),
    mode,
    newAdminKey: flags.newAdminKey ?? false,
    dryRun: flags.dryRun ?? false,
    output,
    wait,
    timeoutSeconds: timeout,
    ...given({ kubeconfig, context }),
  }
}

function choicesOf(flags: ChoiceFlags): InstallChoices {
  const { image, store, etcdSecret, replicas, storageSize, storageClass, domain, expose, address, nodePort } = flags
  const { ingressClass, tlsSecret, licenseSecret, encryption, serviceMonitor, prometheusRule } = flags
  const { imagePullSecret, ingressAnnotation, serveOption, requests, limits } = flags
  return given({
    image,
    imagePullSecrets: imagePullSecret,
    store,
    etcdSecret,
    replicas,
    storageSize,
    storageClass,
    requests,
    limits,
    domain,
    expose,
    address,
    nodePort,
    ingressClass,
    ingressAnnotations: ingressAnnotation,
    tlsSecret,
    licenseSecret,
    encryption,
    serviceMonitor,
    prometheusRule,
    serveOptions: serveOption,
  })
}
