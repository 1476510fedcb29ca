import { conflict } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { VirtualClusterInstance } from '../../api/types/management.ts'
import { Pace } from '../../base/pace.ts'
import type { Hooks, ResourceContext } from '../../registry/context.ts'
import { caughtUp } from '../../registry/freshness.ts'
import { noReservation } from '../../registry/quota/quota.ts'

/**
 * Two virtual clusters in one place of a host would delete each other's copies, so a second one is refused if the
 * platform knows their cluster. Virtual clusters that register themselves do not name it.
 */
export function withOnePlace(hooks: Hooks, instances: () => ResourceContext): Hooks {
  /** Places of pending writes: of two concurrent writes to one place, one is refused. */
  const taken = new Set<string>()
  return {
    ...hooks,
    reserve: async ({ object, old }) => {
      const place = placeOf(object)
      if (place === undefined || (old !== undefined && placeOf(old.object) === place)) return noReservation
      if (taken.has(place)) throw conflict(instances().kind, object.metadata.name ?? '', inUse('another', place))
      taken.add(place)
      const release = () => void taken.delete(place)
      try {
        await requireFree(instances(), object, place)
      } catch (error) {
        release()
        throw error
      }
      return { release }
    },
  }
}

async function requireFree(instances: ResourceContext, object: KubeObject, place: string): Promise<void> {
  await caughtUp(instances.engine)
  const { name = '', namespace = '' } = object.metadata
  const pace = new Pace()
  for (const other of instances.cache.snapshot().values()) {
    await pace.step()
    if (placeOf(other.object) !== place || (other.name === name && other.namespace === namespace)) continue
    throw conflict(instances.kind, name, inUse(`${other.namespace}/${other.name}`, place))
  }
}

function inUse(by: string, place: string): string {
  return `${by} is in ${place} already; choose another host namespace or name`
}

/** Undefined: the place is not known. */
function placeOf(object: KubeObject): string | undefined {
  const { metadata, spec } = object as VirtualClusterInstance
  const ref = spec?.clusterRef ?? {}
  const { cluster = '', namespace = `tenant-${metadata.name}`, virtualCluster = metadata.name } = ref
  if (cluster === '') return undefined
  return `namespace ${namespace} of cluster ${cluster} under the name ${virtualCluster}`
}
