import { isIPv6 } from 'node:net'
import { ownImage } from '../../../base/own-image.ts'
import type { HostFlags } from '../../host/host-cluster.ts'
import { print } from '../../output/print.ts'
import type { Progress } from '../../output/progress.ts'
import { shellQuoted } from '../../output/shell-word.ts'
import { textTable } from '../../output/text-table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { platformName, platformSecrets, serviceNames } from './names.ts'
import type { InstallOptions } from './options.ts'
import type { PlatformSettings } from './settings.ts'

export interface Installed {
  readonly settings: PlatformSettings
  readonly options: HostFlags & Pick<InstallOptions, 'mode'>
  /** It has already been shown. */
  readonly hasNewKey: boolean
}

/** Shown immediately, whatever follows: the value is nowhere else. A spinner would overwrite it. */
export function showAdminKey(value: string, progress: Progress, terminal: Terminal): void {
  progress.stop()
  print(
    terminal,
    textTable([
      ['admin key', value],
      ['', 'shown once; the cluster keeps its hash alone'],
    ]),
  )
}

/** Where the platform is, and what to do next: log in, unless an upgrade has kept the key, then the virtual clusters. */
export function installedText({ settings, options, hasNewKey }: Installed): string {
  const url = outerUrl(settings)
  const [, inside = ''] = serviceNames(settings.namespace)
  const places = textTable([
    ['platform', url ?? `https://${inside} (inside the cluster)`],
    ...(url === undefined ? [] : [['console', `${url}/`]]),
    [
      'admin key',
      hasNewKey ? shownAbove : 'shown when it was made; a new one: tenant platform upgrade --new-admin-key',
    ],
  ])
  const isLoggedIn = options.mode === 'upgrade' && !hasNewKey
  const steps = [...(isLoggedIn ? [] : loginSteps(settings, options, url)), virtualClusterStep(settings, options)]
  return `${places}\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`
}

const shownAbove = 'shown above, this once'

/** Undefined: it is reachable only inside the cluster. */
function outerUrl({ address, expose, nodePort }: PlatformSettings): string | undefined {
  if (address === undefined) return undefined
  const name = isIPv6(address) ? `[${address}]` : address
  return `https://${name}${expose === 'node-port' ? `:${nodePort ?? 'PORT'}` : ''}`
}

function virtualClusterStep({ image }: PlatformSettings, { mode }: Pick<InstallOptions, 'mode'>): string {
  const [change, which] = mode === 'upgrade' ? ['--upgrade ', '  # and all others, one after the other'] : ['', '']
  return `tenant create ${change}my-cluster${image === ownImage() ? '' : ` --image ${shellQuoted(image)}`}${which}`
}

function loginSteps(
  { namespace, tlsSecret, expose, nodePort, address, isAddressFound }: PlatformSettings,
  { kubeconfig, context }: HostFlags,
  url: string | undefined,
): readonly string[] {
  const place = [
    ...(kubeconfig === undefined ? [] : [`--kubeconfig ${shellQuoted(kubeconfig)}`]),
    ...(context === undefined ? [] : [`--context ${shellQuoted(context)}`]),
    `-n ${namespace}`,
  ].join(' ')
  const authority = `kubectl ${place} get secret ${platformSecrets.authority} -o jsonpath='{.data.tls\\.crt}' | base64 -d > platform-ca.crt`
  // At an Ingress, clients see the certificate of its controller.
  const isOwn = tlsSecret === undefined && expose !== 'ingress'
  const trust = isOwn ? ' --ca platform-ca.crt' : ''
  const port = `kubectl ${place} get service ${platformName} -o jsonpath='{.spec.ports[0].nodePort}'  # says which PORT`
  const balancer = `kubectl ${place} get service ${platformName}  # its EXTERNAL-IP is where ${address} must lead`
  return [
    ...(expose === 'load-balancer' && address !== undefined && !isAddressFound ? [balancer] : []),
    ...(isOwn ? [authority] : []),
    ...(expose === 'node-port' && nodePort === undefined ? [port] : []),
    ...(url === undefined ? [`kubectl ${place} port-forward service/${platformName} 8443:443 &`] : []),
    `tenant platform login ${url ?? 'https://127.0.0.1:8443'}${trust} --access-key-prompt`,
  ]
}
