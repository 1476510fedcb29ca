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
  const command = new Command('install').description('Install the platform in the current cluster, or upgrade it.')
  return addWaitOptions(addChoiceOptions(addNamespaceOption(command)))
    .option('--dry-run', 'print what would be applied, without contacting a cluster')
    .addOption(new Option('-o, --output <format>', 'how to print it').choices(['yaml', 'json']).default('yaml'))
    .addHelpText('after', installExamples)
    .action(async (flags: InstallFlags) =>
      (await import('./install.ts')).installPlatform(installOptions('install', flags), terminal),
    )
}

const installExamples = `
Creates a namespace with a StatefulSet and a volume, or with a Deployment on the etcd that you name; a Service, a NetworkPolicy
and, if requested, an Ingress; certificates that the platform renews, unless --tls-secret names one; and a license, unless
--license-secret names one. The administrator's key is shown once; the cluster stores only its hash.

If you run the command again, it applies only differences. Options that you chose earlier stay until you set them again; an
empty value, such as --tls-secret "", resets an option.

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
  const command = new Command('upgrade').description('Upgrade an installed platform, and show what changes.')
  return addWaitOptions(addChoiceOptions(addNamespaceOption(command)))
    .option('--new-admin-key', "create a new administrator's key, and revoke the previous one")
    .addHelpText('after', upgradeExamples)
    .action(async (flags: InstallFlags) =>
      (await import('./install.ts')).installPlatform(installOptions('upgrade', flags), terminal),
    )
}

const upgradeExamples = `
Options that you chose earlier stay until you set them again. If something fails, or the platform is not ready in time, the
previous objects are applied again. Fields that other clients have changed stay unchanged.

Examples:
  tenant platform upgrade
  tenant platform upgrade --image registry.example.com/tenant-platform:${packageVersion()}
  tenant platform upgrade --new-admin-key
`

export function prepareCommand(terminal: Terminal): Command {
  const command = new Command('prepare').description(
    "Create the namespace and the Secrets of a platform that another tool installs, and show the administrator's key once.",
  )
  return addHostOptions(
    addNamespaceOption(command)
      .option('--tls-secret <name>', 'the Secret with the certificate (default: an authority is created)')
      .option('--license-secret <name>', 'the Secret with the license (default: one is created)')
      .option('--no-encryption', 'create no encryption keys for the store'),
  )
    .addHelpText('after', prepareExamples)
    .action(async ({ namespace, kubeconfig, context, ...flags }: InstallFlags) => {
      const options = { namespace, choices: choicesOf(flags), ...given({ kubeconfig, context }) }
      await (await import('./prepare.ts')).preparePlatform(options, terminal)
    })
}

const prepareExamples = `
The objects that tenant platform install --dry-run prints for a repository refer to Secrets, which do not belong in a
repository. This command creates those Secrets. Existing ones stay unchanged.

Examples:
  tenant platform prepare
  tenant platform prepare -n platform --tls-secret platform-tls
`

export function uninstallCommand(terminal: Terminal): Command {
  const command = new Command('uninstall').description(
    'Remove an installed platform. Its data is kept unless you pass --delete-data.',
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
Lists what it keeps: the volume, and the Secrets with the certificate authority, the license, the encryption keys and the
hash of the administrator's key. A later tenant platform install continues with them. Virtual clusters keep running without
their platform.

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
    .option('--image-pull-secret <name...>', 'Secrets with which the nodes pull the image')
    .option('--store <url>', 'etcd:URL[,URL], where objects are kept (default: embedded, on a volume)')
    .option(
      '--etcd-secret <name>',
      'a Secret with endpoints, ca.crt, tls.crt and tls.key, for an etcd that requires client certificates',
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
      new Option('--limits <name=amount...>', 'the maximum that a Pod may use (default: no limits)').argParser(amount),
    )
    .option(
      '--domain <domain>',
      'the platform domain; the API group is management.<domain> (default: platform.internal)',
    )
    .addOption(new Option('--expose <how>', 'how clients reach the platform (default: cluster)').choices(exposures))
    .option('--address <name>', 'the name or IP address that clients and virtual clusters use')
    .option('--node-port <number>', 'the port on the nodes (default: the cluster picks one)', parsePort)
    .option('--ingress-class <name>', "class of the Ingress (default: the cluster's default)")
    .addOption(new Option('--ingress-annotation <name=value...>', 'annotations of the Ingress').argParser(annotation))
    .option(
      '--tls-secret <name>',
      'a Secret of type kubernetes.io/tls with the server certificate (default: created and renewed automatically)',
    )
    .option('--license-secret <name>', 'a Secret with license and issuer (default: every feature, without an expiry)')
    .option('--encryption', 'encrypt Secrets and other confidential values in the store (default for a new platform)')
    .option('--no-encryption', 'do not encrypt them')
    .option('--service-monitor', 'create a ServiceMonitor (default: if the cluster serves the kind)')
    .option('--no-service-monitor', 'do not create one')
    .option('--prometheus-rule', 'create a PrometheusRule with alerts (default: if the cluster serves the kind)')
    .option('--no-prometheus-rule', 'do not create one')
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
