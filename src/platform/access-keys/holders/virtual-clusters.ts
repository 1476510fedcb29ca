import type { VirtualClusterInstance } from '../../../api/types/management.ts'
import type { RecordedUse } from '../../../auth/keys/contract.ts'
import { linkedResource } from '../../../auth/scope/privilege.ts'
import { timestamp } from '../../../base/clock.ts'
import type { Steps } from '../../../base/steps.ts'
import type { StoredDocument } from '../../../registry/document.ts'

/** A virtual cluster that uses a key. */
export interface KeyBearer {
  readonly project: string
  readonly name: string
  /** Whether it is linked with the key now, at any replica. */
  readonly linked: boolean
  readonly last: string
}

/**
 * Finds virtual clusters that are linked with a key, which their status records, and those that registered or reported
 * with it lately.
 */
export function* virtualClustersWith(
  keyName: string,
  instances: Iterable<StoredDocument>,
  uses: readonly RecordedUse[],
): Steps<readonly KeyBearer[]> {
  const bearers = new Map<string, KeyBearer>()
  for (const { namespace, name, resource, lastMs } of uses) {
    if (resource.split('/', 1)[0] !== linkedResource || name === '') continue
    const id = `${namespace}/${name}`
    const last = timestamp(lastMs)
    if ((bearers.get(id)?.last ?? '') < last)
      bearers.set(id, { project: projectOf(namespace), name, linked: false, last })
  }
  for (const document of instances) {
    yield
    if (!document.contains(`${keyName}"`)) continue
    const { namespace, name, object } = document
    const { link, lastHeartbeat: last = '' } = (object as VirtualClusterInstance).status ?? {}
    if (link?.accessKey !== keyName) continue
    bearers.set(`${namespace}/${name}`, { project: projectOf(namespace), name, linked: true, last })
  }
  return [...bearers.values()]
}

const projectPrefix = 'p-'

function projectOf(namespace: string): string {
  return namespace.startsWith(projectPrefix) ? namespace.slice(projectPrefix.length) : namespace
}
