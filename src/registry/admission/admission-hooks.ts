import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Engine, Hooks } from '../context.ts'
import type { WriteRequest } from '../contract.ts'
import type { AdmissionPlugin } from './contract.ts'

/** The plugins that handle a kind, as hooks of its verbs. */
export function admissionHooks(kind: Kind, plugins: readonly AdmissionPlugin[], engine: Engine): Hooks {
  const mutating = plugins.filter((plugin) => plugin.mutate !== undefined && plugin.handles(kind))
  const inspecting = plugins.filter((plugin) => plugin.inspect !== undefined && plugin.handles(kind))
  const mutate = async (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => {
    if (request.subresource === 'status') return object
    let mutated = object
    for (const plugin of mutating) {
      mutated = (await plugin.mutate?.(mutated, { engine, kind, old, request })) ?? mutated
    }
    return mutated
  }
  const inspect = async (object: KubeObject, old: KubeObject | undefined, request: WriteRequest) => {
    if (request.subresource === 'status') return
    for (const plugin of inspecting) await plugin.inspect?.(object, { engine, kind, old, request })
  }
  return {
    ...(mutating.length > 0 && { mutate }),
    ...(inspecting.length > 0 && { inspect }),
  }
}
