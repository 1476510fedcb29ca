import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Engine, Hooks } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import type { AdmissionPlugin } from './contract.ts'

/** Turns the plugins that handle a kind into hooks for its verbs. */
export function admissionHooks(kind: Kind, plugins: readonly AdmissionPlugin[], engine: Engine): Hooks {
  const handling = plugins.filter((plugin) => plugin.handles(kind))
  const mutating = handling.filter((plugin) => plugin.mutate !== undefined)
  const inspecting = handling.filter((plugin) => plugin.inspect !== undefined)
  const removing = handling.filter((plugin) => plugin.remove !== undefined)
  const mutateEach = async (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => {
    let mutated = object
    for (const plugin of mutating) {
      if (!sees(plugin, request)) continue
      mutated = (await plugin.mutate?.(mutated, { engine, kind, old, request })) ?? mutated
    }
    return mutated
  }
  /** Apart from the object and its writer, the plugins look only at stored objects. */
  const mutate = (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => {
    const { alike } = request
    if (alike === undefined || old !== undefined) return mutateEach(object, old, request)
    return alike.mutated(object, engine.feed.revision, () => mutateEach(object, old, request))
  }
  const inspect = async (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => {
    for (const plugin of inspecting) {
      if (sees(plugin, request)) await plugin.inspect?.(object, { engine, kind, old, request })
    }
  }
  const admitDelete = (object: KubeObject, request: WriteRequest): void => {
    for (const plugin of removing) plugin.remove?.(object, { engine, kind, old: object, request })
  }
  return {
    ...(mutating.length > 0 && { mutate }),
    ...(inspecting.length > 0 && { inspect }),
    ...(removing.length > 0 && { admitDelete }),
  }
}

function sees({ seesStatus }: AdmissionPlugin, { subresource }: WriteRequest): boolean {
  return subresource !== 'status' || seesStatus === true
}
