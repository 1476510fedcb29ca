import { BackupRefused } from '../../backup/backup-refused.ts'
import type { BackupSource } from '../../backup/envelope/header.ts'
import { UsageError } from '../../base/usage-error.ts'
import { sourceText } from './source-text.ts'

/** The operator's statement of whose backup is to become a store. */
export interface WantedSource {
  readonly virtualCluster?: string
  readonly project?: string
  readonly context?: string
  readonly kubeconfig?: string
  readonly anotherCluster?: boolean
}

/**
 * Throws BackupRefused for a backup of anything but what the operator named, so that a tenant's content never becomes
 * the store of the platform. Without a name, it must be the platform.
 */
export function requireWantedSource(backup: string, source: BackupSource, wanted: WantedSource): void {
  if (wanted.anotherCluster === true || isWanted(source, wanted)) return
  throw new BackupRefused(
    `${backup} is a backup of the ${sourceText(source)}, and not of the ${wantedText(wanted)}: ${wayOut(source)}`,
  )
}

/**
 * The same for objects that are restored into a running cluster. A virtual cluster may be a tenant's own server, which
 * reports its own uid: its backup is only for that virtual cluster, unless the operator names the target by a
 * kubeconfig.
 */
export function requirePartSource(backup: string, source: BackupSource, wanted: WantedSource): void {
  const isNamedOtherwise = wanted.kubeconfig !== undefined || wanted.context !== undefined
  if (source.type === 'virtualCluster' && !isNamedOtherwise) requireWantedSource(backup, source, wanted)
}

function isWanted(
  { type, name }: BackupSource,
  { virtualCluster, project, context, kubeconfig }: WantedSource,
): boolean {
  if (kubeconfig !== undefined || context !== undefined) {
    if (virtualCluster !== undefined) throw new UsageError('pass either --virtual-cluster or --context')
    return type === 'cluster' && (context === undefined || name === context)
  }
  if (virtualCluster === undefined) return type === 'platform'
  if (type !== 'virtualCluster') return false
  return project === undefined ? name.endsWith(`/${virtualCluster}`) : name === `${project}/${virtualCluster}`
}

function wantedText({ virtualCluster, project, context, kubeconfig }: WantedSource): string {
  if (context !== undefined) return `cluster ${context}`
  if (kubeconfig !== undefined) return 'cluster of a kubeconfig'
  if (virtualCluster === undefined) return 'platform'
  return `virtual cluster ${project === undefined ? virtualCluster : `${project}/${virtualCluster}`}`
}

function wayOut({ type, name }: BackupSource): string {
  const otherwise = 'or pass --another-cluster to restore it anyway'
  switch (type) {
    case 'platform':
      return `omit --virtual-cluster and --context to restore that one, ${otherwise}`
    case 'cluster':
      return `pass --context ${name} to restore that one, ${otherwise}`
    case 'virtualCluster': {
      const [project = '', virtualCluster = ''] = name.split('/')
      return `pass --virtual-cluster ${virtualCluster} -p ${project} to restore that one, ${otherwise}`
    }
  }
}
