import type { KubeObject } from '../../api/object.ts'
import type { CustomResourceDefinition } from '../../api/types/apiextensions-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import type { ResourceContext } from '../context.ts'
import { systemRequest } from '../controllers/system-request.ts'
import { editObject } from '../verbs/edit.ts'
import { definitionHead } from './definition-head.ts'

/** The writer of definitions, as named in logs. */
export const definitionManager = 'custom-resource-definitions'
/** As named in managedFields. */
const serverItself = 'kube-apiserver'

/** Returns the definition without its schemas. */
export function findDefinition({ cache }: ResourceContext, name: string): CustomResourceDefinition | undefined {
  const document = cache.get({ namespace: '', name })
  return document && definitionHead(document)
}

/**
 * Changes the definition that was inspected, and not a later one of the same name. The inspected head decides whether
 * there is anything to change, since reading a whole definition takes long: `edit` must not touch schemas.
 */
export async function editDefinition(
  definitions: ResourceContext,
  looked: CustomResourceDefinition,
  edit: (definition: CustomResourceDefinition) => CustomResourceDefinition,
  options: { readonly subresource: string; readonly signal: AbortSignal },
): Promise<void> {
  const { name = '', uid } = looked.metadata
  if (findDefinition(definitions, name) === looked && deepEqual(edit(looked), looked)) return
  const request = systemRequest(serverItself, options.signal, options.subresource)
  const changed = (object: KubeObject) => {
    if (object.metadata.uid !== uid) return undefined
    const edited = edit(object as CustomResourceDefinition)
    return deepEqual(edited, object) ? undefined : edited
  }
  await editObject(definitions, { namespace: '', name }, changed, request)
}
