import { forbidden, notFound } from '../../api/error.ts'
import type { ObjectMeta } from '../../api/object.ts'
import type { ResourceContext } from '../context.ts'

const namespaces = { plural: 'namespaces', group: '' }

/** Objects can be created only in a namespace that exists and is not being deleted. */
export function requireLiveNamespace(context: ResourceContext, metadata: ObjectMeta): void {
  const { namespace } = metadata
  if (!context.kind.namespaced || namespace === undefined) return
  const owner = context.engine.find('', 'Namespace')
  if (owner === undefined) return
  const found = owner.cache.get({ namespace: '', name: namespace })
  if (found === undefined) throw notFound(namespaces, namespace)
  if (!found.isBeingDeleted) return
  throw forbidden(
    context.kind,
    metadata.name ?? '',
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    {
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  )
}
