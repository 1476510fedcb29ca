import type { KubeObject } from '../../api/object.ts'
import type { CustomResourceDefinition } from '../../api/types/apiextensions-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import type { ResourceContext } from '../context.ts'
import { systemRequest } from '../controllers/system-request.ts'
import { editObject } from '../verbs/edit.ts'

/** Who writes to definitions, as managedFields and logs name it. */
export const definitionManager = 'custom-resource-definitions'

export function findDefinition({ cache }: ResourceContext, name: string): CustomResourceDefinition | undefined {
  return cache.get({ namespace: '', name })?.object as CustomResourceDefinition | undefined
}

/** Changes the definition that was looked at, and none that came in its place. */
export async function editDefinition(
  definitions: ResourceContext,
  { metadata: { name = '', uid } }: CustomResourceDefinition,
  edit: (definition: CustomResourceDefinition) => CustomResourceDefinition,
  options: { readonly subresource: string; readonly signal: AbortSignal },
): Promise<void> {
  const request = systemRequest(definitionManager, options.signal, options.subresource)
  const changed = (object: KubeObject) => {
    if (object.metadata.uid !== uid) return undefined
    const edited = edit(object as CustomResourceDefinition)
    return deepEqual(edited, object) ? undefined : edited
  }
  await editObject(definitions, { namespace: '', name }, changed, request)
}
