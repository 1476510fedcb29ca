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
      'A virtual cluster: a control plane of its own in one namespace of a host cluster. It lives in the namespace of its project.',
    spec,
    status,
    columns: [
      displayNameColumn,
      textColumn('Cluster', 'spec.clusterRef.cluster', 'Host cluster of the virtual cluster.'),
      phaseColumn,
      textColumn('Version', 'status.version.kubernetes', 'Version of Kubernetes that the virtual cluster speaks.'),
      wide(textColumn('Namespace', 'spec.clusterRef.namespace', 'Namespace on the host cluster.')),
      wide(momentColumn('Last Seen', 'status.lastHeartbeat', 'When the virtual cluster was last heard of, as noted.')),
    ],
    selectable: ['spec.clusterRef.cluster', 'status.phase'],
    hasSealedPart: true,
  })
}

const spec = {
  ...naming,
  owner,
  clusterRef: object('Where the virtual cluster runs.', {
    cluster: string('Name of the Cluster.'),
    namespace: string('Namespace on that cluster.'),
    virtualCluster: string('Name of the virtual cluster in that namespace.'),
  }),
  external: boolean(
    'When true, the virtual cluster was deployed outside the platform and has registered itself; the platform never changes or deletes its deployment.',
  ),
  config: string('Configuration of the virtual cluster: the text of its `tenant.yaml`.'),
  access,
}

const status = {
  ...progress,
  online: boolean('Whether the virtual cluster is linked to the platform now.'),
  lastHeartbeat: time(
    'When the virtual cluster was last heard of. While it is linked, this is noted every few minutes only.',
  ),
  serviceUid: string('UID of the Service of the virtual cluster on its host, as it says itself.'),
  link: object('The link to the platform, while there is one.', {
    replica: string('Replica of the platform at which it ends.'),
    accessKey: string('Name of the access key that it was opened with.'),
    process: string('Process of the virtual cluster that is linked, where several may run.'),
    leaving: boolean('Whether that process is about to end: another that is linked takes its place.'),
  }),
  version: object('What the virtual cluster runs.', {
    tenant: string('Version of the tenant program.'),
    kubernetes: string('Version of Kubernetes that it speaks.'),
  }),
}
