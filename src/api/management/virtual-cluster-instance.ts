import type { Kind } from '../kind.ts'
import { boolean, object, string, time } from '../schema-builder.ts'
import { displayNameColumn, momentColumn, phaseColumn, textColumn, wide } from './columns.ts'
import { managementKind } from './management-kind.ts'
import { access, naming, owner, progress } from './shared-fields.ts'

/** A virtual cluster as the platform knows it. */
export function virtualClusterInstanceKind(domain: string): Kind {
  return managementKind(domain, {
    kind: 'VirtualClusterInstance',
    plural: 'virtualclusterinstances',
    shortNames: ['vci'],
    namespaced: true,
    description:
      'A virtual cluster: a separate control plane in one namespace of a host cluster. The object is in the namespace of its project.',
    spec,
    status,
    columns: [
      displayNameColumn,
      textColumn('Cluster', 'spec.clusterRef.cluster', 'Host cluster of the virtual cluster.'),
      phaseColumn,
      textColumn('Version', 'status.version.kubernetes', 'Kubernetes version of the virtual cluster.'),
      wide(textColumn('Namespace', 'spec.clusterRef.namespace', 'Namespace on the host cluster.')),
      wide(
        momentColumn(
          'Last Seen',
          'status.lastHeartbeat',
          'Time of the last recorded heartbeat of the virtual cluster.',
        ),
      ),
    ],
    selectable: ['spec.clusterRef.cluster', 'status.phase'],
    hasSealedPart: true,
  })
}

const spec = {
  ...naming,
  owner,
  clusterRef: object('Location of the virtual cluster.', {
    cluster: string('Name of the Cluster.'),
    namespace: string('Namespace on that cluster.'),
    virtualCluster: string('Name of the virtual cluster in that namespace.'),
  }),
  external: boolean(
    'When true, the virtual cluster was deployed outside the platform and registered itself. The platform never changes or deletes its deployment.',
  ),
  config: string('Configuration of the virtual cluster: the text of its `tenant.yaml`.'),
  access,
}

const status = {
  ...progress,
  online: boolean('Whether the virtual cluster is currently linked to the platform.'),
  lastHeartbeat: time(
    'Time of the last heartbeat of the virtual cluster. While it is linked, the value is updated only every few minutes.',
  ),
  serviceUid: string('UID of the Service of the virtual cluster on its host, as the virtual cluster reports it.'),
  link: object('The link to the platform. Absent if there is none.', {
    replica: string('Replica of the platform that holds the link.'),
    accessKey: string('Name of the access key that the link was opened with.'),
    process: string('The linked process of the virtual cluster, if it can have several.'),
    leaving: boolean('Whether that process is about to stop and be replaced by another linked one.'),
  }),
  version: object('Versions of the virtual cluster.', {
    tenant: string('Version of the tenant program.'),
    kubernetes: string('Kubernetes version.'),
  }),
}
