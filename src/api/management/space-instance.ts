import type { Kind } from '../kind.ts'
import { boolean, object, string } from '../schema-builder.ts'
import { displayNameColumn, phaseColumn, textColumn, wide } from './columns.ts'
import { managementKind } from './management-kind.ts'
import { access, naming, owner, progress } from './shared-fields.ts'

/** A namespace of a host cluster that a project may use. */
export function spaceInstanceKind(domain: string): Kind {
  return managementKind(domain, {
    kind: 'SpaceInstance',
    plural: 'spaceinstances',
    shortNames: ['si'],
    namespaced: true,
    description:
      'A space: one namespace of a host cluster, assigned to a project. The object is in the namespace of its project.',
    spec,
    status: progress,
    columns: [
      displayNameColumn,
      textColumn('Cluster', 'spec.clusterRef.cluster', 'Host cluster of the space.'),
      wide(textColumn('Namespace', 'spec.clusterRef.namespace', 'Namespace on the host cluster.')),
      phaseColumn,
    ],
    selectable: ['spec.clusterRef.cluster', 'status.phase'],
  })
}

const spec = {
  ...naming,
  owner,
  clusterRef: object('Location of the space.', {
    cluster: string('Name of the Cluster.'),
    namespace: string('Namespace on that cluster.'),
  }),
  external: boolean('When true, the namespace is created and deleted outside the platform.'),
  access,
}
