import type { KubeObject } from '../../api/object.ts'
import type { CustomResourceDefinition } from '../../api/types/apiextensions-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import type { ResourceContext } from '../context.ts'
import { systemRequest } from '../controllers/system-request.ts'
import { editObject } from '../verbs/edit.ts'
import { definitionHead } from './definition-head.ts'

/** Who writes to definitions, as managedFields and logs name it. */
export const definitionManager = 'custom-resource-definitions'

/** Without its schemas. */
export function findDefinition({ cache }: ResourceContext, name: string): CustomResourceDefinition | undefined {
  const document = cache.get({ namespace: '', name })
  return document && definitionHead(document)
}

/**
 * Changes the definition that was looked at, and none that came in its place. Whether there is anything to change is told by what
 * was looked at, since to read all of a definition takes long: `edit` is of what is no schema.
 */
export async function editDefinition(
  definitions: ResourceContext,
  looked: CustomResourceDefinition,
  edit: (definition: CustomResourceDefinition) => CustomResourceDefinition,
  options: { readonly subresource: string; readonly signal: AbortSignal },
): Promise<void> {
  const { name = '', uid } = looked.metadata
  if (findDefinition(definitions, name) === looked && deepEqual(edit(looked), looked)) return
  const request = systemRequest(definitionManager, options.signal, options.subresource)
  const changed = (object: KubeObject) => {
    if (object.metadata.uid !== uid) return undefined
    const edited = edit(object as CustomResourceDefinition)
    return deepEqual(edited, object) ? undefined : edited
  }
  await editObject(definitions, { namespace: '', name }, changed, request)
}
