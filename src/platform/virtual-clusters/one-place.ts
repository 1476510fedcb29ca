import { conflict } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { VirtualClusterInstance } from '../../api/types/management.ts'
import { Pace } from '../../base/pace.ts'
import type { Hooks, ResourceContext } from '../../registry/context.ts'
import { caughtUp } from '../../registry/freshness.ts'

/**
 * Two virtual clusters in one place of a host would remove each other's copies. So a second one is refused, as far as
 * the platform knows on which cluster they are: those that register themselves do not say.
 */
export function withOnePlace(hooks: Hooks, instances: () => ResourceContext): Hooks {
  return {
    ...hooks,
    admitCreate: async (object, request) => {
      await requireFree(instances(), object)
      return (await hooks.admitCreate?.(object, request)) ?? { object }
    },
    admitUpdate: async (object, old, request) => {
      if (placeOf(object) !== placeOf(old.object)) await requireFree(instances(), object)
      return (await hooks.admitUpdate?.(object, old, request)) ?? { object }
    },
  }
}

async function requireFree(instances: ResourceContext, object: KubeObject): Promise<void> {
  const place = placeOf(object)
  if (place === undefined) return
  await caughtUp(instances.engine)
  const { name = '', namespace = '' } = object.metadata
  const pace = new Pace()
  for (const other of instances.cache.snapshot().values()) {
    await pace.step()
    if (placeOf(other.object) !== place || (other.name === name && other.namespace === namespace)) continue
    const message = `${other.namespace}/${other.name} is in ${place} already; choose another host namespace or name`
    throw conflict(instances.kind, name, message)
  }
}

/** Undefined: its place is unknown. */
function placeOf(object: KubeObject): string | undefined {
  const { metadata, spec } = object as VirtualClusterInstance
  const ref = spec?.clusterRef ?? {}
  const { cluster = '', namespace = `tenant-${metadata.name}`, virtualCluster = metadata.name } = ref
  if (cluster === '') return undefined
  return `namespace ${namespace} of cluster ${cluster} under the name ${virtualCluster}`
}
