import type { KubeObject } from '../../../api/object.ts'
import { asMembers, asObjects } from '../../../base/json/lenient.ts'
import { pause } from '../../../base/pause.ts'
import type { KubeClient } from '../../../client/contract.ts'
import { existing } from '../../host/objects.ts'
import type { Progress } from '../../output/progress.ts'
import { platformService } from './manifests/entrance.ts'
import type { InstallOptions } from './options.ts'
import type { PlatformSettings } from './settings.ts'

const pollMs = 1_000

/** The address of a load balancer, if no operator has set it. Undefined: it is known, or there is none. */
export async function balancerAddress(
  host: KubeClient,
  { wait, timeoutSeconds }: InstallOptions,
  settings: PlatformSettings,
  { progress, signal }: { readonly progress: Progress; readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (settings.expose !== 'load-balancer' || settings.address !== undefined || !wait) return undefined
  progress.step('Waiting for the address of the load balancer')
  for (let waitedMs = 0; waitedMs < timeoutSeconds * 1000; waitedMs += pollMs) {
    const address = addressIn(await existing(host, platformService(settings), signal))
    if (address !== undefined) return address
    await pause(pollMs, signal)
  }
  throw new Error(
    `the load balancer got no address within ${timeoutSeconds} s: does the cluster have a controller for Services of type LoadBalancer? Name the address with --address, or expose it another way with --expose`,
  )
}

function addressIn(service: KubeObject | undefined): string | undefined {
  const [first] = asObjects(asMembers(asMembers(service?.status).loadBalancer).ingress)
  const address = first?.hostname ?? first?.ip
  return typeof address === 'string' && address !== '' ? address : undefined
}
