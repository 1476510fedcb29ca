import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import { packageVersion } from '../../base/package-version.ts'
import { systemRandom } from '../../base/random.ts'
import { UntrustedCertificate } from '../../client/connection/connection-error.ts'
import type { KubeClient } from '../../client/contract.ts'
import { createKubeClient } from '../../client/kube-client.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import { loadClusterAccess } from '../../client/kubeconfig/load.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface HostFlags {
  /** Absent: as kubectl finds it. */
  readonly kubeconfig?: string
  readonly context?: string
}

export interface HostCluster {
  readonly client: KubeClient
  readonly access: ClusterAccess
}

/** Runs `act` with the host cluster of a kubeconfig. */
export async function onHost<T>(
  { kubeconfig, context }: HostFlags,
  { env }: Terminal,
  act: (host: HostCluster) => Promise<T>,
): Promise<T> {
  const access = await loadClusterAccess({ env, clock: systemClock, file: kubeconfig, context })
  const client = createKubeClient({
    access,
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    userAgent: `tenant/${packageVersion()}`,
    env,
  })
  try {
    return await act({ client, access })
  } catch (error) {
    throw withRemedy(error, access)
  } finally {
    await client.close()
  }
}

/** The platform is recognized in another way, and its errors say how. */
function withRemedy(error: unknown, { url }: ClusterAccess): unknown {
  if (!(error instanceof UntrustedCertificate) || !error.message.includes(url.origin)) return error
  return new Error(
    `${error.message}\nIf it is the right cluster, set certificate-authority of this cluster in the kubeconfig to its authority.`,
  )
}
