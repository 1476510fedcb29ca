import { isOfProcess } from '../../api/host-controllers.ts'
import type { KubeObject } from '../../api/object.ts'
import { isMarker } from '../names/markers.ts'

const nameLabel = 'app.kubernetes.io/name'
const instanceLabel = 'app.kubernetes.io/instance'

/**
 * Whether a Secret of the host belongs to the process of a tenant or of the platform, such as its access key, its proof
 * or its authorities. With one, a tenant would be administrator of another.
 */
export function isSecretOfProcess({ kind, metadata: { name = '', labels = {} } }: KubeObject): boolean {
  if (kind !== 'Secret') return false
  if (Object.keys(labels).some(isMarker) || isOfProcess('labels', nameLabel, labels[nameLabel] ?? '')) return true
  const own = `tenant-${labels[instanceLabel]}`
  return name === own || name.startsWith(`${own}-`)
}
