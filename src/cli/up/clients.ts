import { systemClock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { packageVersion } from '../../base/package-version.ts'
import { systemRandom } from '../../base/random.ts'
import type { KubeClient } from '../../client/contract.ts'
import { createKubeClient } from '../../client/kube-client.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import { parseKubeconfig } from '../../client/kubeconfig/parse.ts'
import { resolveContext } from '../../client/kubeconfig/resolve.ts'
import { printKubeconfig } from '../../cluster/kubeconfig.ts'
import type { RunningServer } from '../../cluster/start-server.ts'

/** An administrator's kubeconfig for a server of this process. */
export function administratorKubeconfig(
  name: string,
  { url, certificateAuthority }: RunningServer,
  token: string,
): string {
  return printKubeconfig([{ name, server: url, certificateAuthority, token }])
}

export function accessFromKubeconfig(name: string, kubeconfig: string): Promise<ClusterAccess> {
  return resolveContext(parseKubeconfig(kubeconfig, name), { clock: systemClock, env: {} })
}

export function clientOf(access: ClusterAccess, log: Log): KubeClient {
  const userAgent = `tenant-up/${packageVersion()}`
  return createKubeClient({ access, clock: systemClock, random: systemRandom, log, userAgent, env: {} })
}
