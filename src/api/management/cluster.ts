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
    description: 'A host cluster, in which spaces are and virtual clusters run.',
    spec,
    status,
    columns: [
      displayNameColumn,
      phaseColumn,
      textColumn('Version', 'status.version', 'Version of Kubernetes that the cluster runs.'),
    ],
  })
}

const spec = {
  ...naming,
  owner,
  config: object('Where the kubeconfig is with which the platform reaches the cluster.', {
    secretName: string('Name of the Secret.'),
    secretNamespace: string('Namespace of the Secret. Empty: the namespace of the platform.'),
    key: string('Entry of the Secret that holds the kubeconfig. Empty: `config`.'),
  }),
  insecure: boolean('When true, the certificate of the cluster is not checked.'),
  access,
}

const status = {
  ...progress,
  online: boolean('Whether the platform reaches the cluster now.'),
  lastSeen: time('When the platform last reached the cluster.'),
  version: string('Version of Kubernetes that the cluster runs.'),
}
