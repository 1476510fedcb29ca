import type { Kind } from '../kind.ts'
import { boolean, object, string, time } from '../schema-builder.ts'
import { displayNameColumn, phaseColumn, textColumn } from './columns.ts'
import { managementKind } from './management-kind.ts'
import { access, naming, owner, progress } from './shared-fields.ts'

/** A host cluster that the platform can reach. */
export function clusterKind(domain: string): Kind {
  return managementKind(domain, {
    kind: 'Cluster',
    plural: 'clusters',
    namespaced: false,
    description: 'A host cluster, which contains spaces and runs virtual clusters.',
    spec,
    status,
    columns: [
      displayNameColumn,
      phaseColumn,
      textColumn('Version', 'status.version', 'Kubernetes version of the cluster.'),
    ],
  })
}

const spec = {
  ...naming,
  owner,
  config: object('The Secret with the kubeconfig that the platform uses to reach the cluster.', {
    secretName: string('Name of the Secret.'),
    secretNamespace: string('Namespace of the Secret. If empty, the namespace of the platform.'),
    key: string('Entry of the Secret that contains the kubeconfig. If empty, `config`.'),
  }),
  insecure: boolean('When true, the certificate of the cluster is not checked.'),
  access,
}

const status = {
  ...progress,
  online: boolean('Whether the platform can currently reach the cluster.'),
  lastSeen: time('Time at which the platform last reached the cluster.'),
  version: string('Kubernetes version of the cluster.'),
}
