import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import { packageVersion } from '../../base/package-version.ts'
import { systemRandom } from '../../base/random.ts'
import { visible } from '../../base/unseen.ts'
import { UsageError } from '../../base/usage-error.ts'
import { UntrustedCertificate } from '../../client/connection/connection-error.ts'
import type { KubeClient } from '../../client/contract.ts'
import { createKubeClient } from '../../client/kube-client.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import { loadClusterAccess } from '../../client/kubeconfig/load.ts'
import { ServerRefusal } from '../../client/server-refusal.ts'
import { reworded } from '../output/reworded.ts'
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
  if (kubeconfig === undefined && context === undefined) refuseVirtualCluster(access)
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

/** After `tenant connect` the current context is a virtual cluster, which is hardly ever meant to be the host. */
function refuseVirtualCluster({ url }: ClusterAccess): void {
  const [, project, name] = /^\/kubernetes\/project\/([^/]+)\/virtualcluster\/([^/]+)\/?$/.exec(url.pathname) ?? []
  if (name === undefined) return
  throw new UsageError(
    `the current context of the kubeconfig is the virtual cluster ${name} of project ${project}: name the context of the host with --context, or restore the one before tenant connect with tenant disconnect`,
  )
}

/** The platform is recognized in another way, and its errors say how. */
function withRemedy(error: unknown, { url: { origin } }: ClusterAccess): unknown {
  return reworded(error, (each) => {
    if (each instanceof UntrustedCertificate && each.message.includes(origin)) return untrustedText(each)
    return each instanceof ServerRefusal && each.origin === origin ? refusedText(each) : undefined
  })
}

function untrustedText({ message }: UntrustedCertificate): string {
  return `${message}\nIf it is the right cluster, set certificate-authority of this cluster in the kubeconfig to its authority.`
}

/** Kubernetes says what is not allowed, but not where, and never why it does not know a user. */
function refusedText({ origin, message, code }: ServerRefusal): string | undefined {
  if (code === 403 && / cannot [a-z]+ resource /.test(message))
    return `${visible(message)}\n${origin} says so of the user of the kubeconfig. Ask an administrator of that cluster for the right, or name another context with --context.`
  if (code !== 401) return undefined
  return `${origin} refused the credentials of the kubeconfig: ${visible(message)}\nThey may have expired, or be of another cluster. Sign in to the cluster again, as for kubectl, or name another kubeconfig with --kubeconfig or another context with --context.`
}
