import type { BackupSource } from '../../backup/envelope/header.ts'
import { systemClock } from '../../base/clock.ts'
import { UsageError } from '../../base/usage-error.ts'
import { proxyFor } from '../../client/connection/proxy-environment.ts'
import type { ClusterAccess } from '../../client/kubeconfig/contract.ts'
import { loadClusterAccess } from '../../client/kubeconfig/load.ts'
import { bearer } from '../../client/kubeconfig/token-file.ts'
import type { KnownPlatform } from '../credentials/contract.ts'
import { knownPlatform } from '../platform/known-platform.ts'
import { chooseProject } from '../project/project.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { TargetFlags } from './options.ts'

/** A cluster to back up, or to restore into. */
export interface BackupTarget {
  readonly source: Pick<BackupSource, 'type' | 'name'>
  readonly access: ClusterAccess
}

export async function backupTarget(flags: TargetFlags, terminal: Terminal): Promise<BackupTarget> {
  const { kubeconfig, context, virtualCluster } = flags
  if (kubeconfig === undefined && context === undefined) return targetByPlatform(flags, terminal)
  if (virtualCluster !== undefined || flags.platform !== undefined)
    throw new UsageError('either a kubeconfig names the cluster (--kubeconfig, --context), or the platform does')
  const access = await loadClusterAccess({ env: terminal.env, clock: systemClock, file: kubeconfig, context })
  return { source: { type: 'cluster', name: context ?? access.url.host }, access }
}

async function targetByPlatform(flags: TargetFlags, terminal: Terminal): Promise<BackupTarget> {
  const { platform } = await knownPlatform(flags.platform, terminal)
  const { virtualCluster: name } = flags
  if (name === undefined) {
    if (flags.project !== undefined)
      throw new UsageError('--project says where a virtual cluster is: name it with --virtual-cluster')
    return { source: { type: 'platform', name: platform.name }, access: platformAccess(platform, '', terminal.env) }
  }
  const project = chooseProject(flags.project, { platform })
  const below = `/kubernetes/project/${encodeURIComponent(project)}/virtualcluster/${encodeURIComponent(name)}`
  return {
    source: { type: 'virtualCluster', name: `${project}/${name}` },
    access: platformAccess(platform, below, terminal.env),
  }
}

/** A platform that the user is logged in to, or a virtual cluster behind it. */
function platformAccess(
  { url: address, trust, accessKey }: KnownPlatform,
  below: string,
  env: Terminal['env'],
): ClusterAccess {
  const url = new URL(`${address}${below}`)
  const proxy = proxyFor(url, env)
  return {
    url,
    trust,
    ...(proxy && { proxy }),
    credentials: {
      headers: async () => bearer(accessKey),
      clientCertificate: async () => undefined,
      refused: () => false,
    },
    namespace: 'default',
  }
}
