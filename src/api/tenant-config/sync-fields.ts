import { flag, mapField, objectField, requiredText, text } from './field-builder.ts'
import { importedPatchesField, patchesField } from './patch-fields.ts'
import {
  customResourceName,
  hostNamespace,
  importedObject,
  labelKeyFormat,
  labelValue,
  namespacedObject,
  nodeMode,
  type TextFormat,
  virtualNamespace,
} from './text-format.ts'

function kindSync(plural: string, initial: boolean) {
  return objectField(`How ${plural} of the virtual cluster appear on the host.`, {
    enabled: flag(`Whether ${plural} are synced to the host.`, initial),
    patches: patchesField,
  })
}

function referencedKindSync(plural: string) {
  return objectField(`How ${plural} of the virtual cluster appear on the host.`, {
    enabled: flag(`Whether ${plural} are synced to the host.`, true),
    all: flag(`Whether all ${plural} are synced, instead of only those that a synced object refers to.`, false),
    patches: patchesField,
  })
}

const namespaceSync = objectField(
  'Multi-namespace mode: namespaces of the virtual cluster become namespaces of the host, and objects keep their names.',
  {
    enabled: flag('Whether namespaces are synced to the host.', false),
    mappings: objectField('Mappings from namespaces of the virtual cluster to namespaces of the host.', {
      byName: mapField(
        `Maps a namespace of the virtual cluster to a namespace of the host. A \`*\` at the end of both stands for the same rest of the name, and \`\${name}\` in the host namespace for the name of the tenant. The most specific entry applies.`,
        virtualNamespace,
        requiredText('The namespace of the host.', hostNamespace),
      ),
    }),
    patches: patchesField,
  },
)

function importedKindSync(plural: string, objects: TextFormat, examples: string) {
  return objectField(`Which ${plural} of the host appear in the virtual cluster.`, {
    enabled: flag(
      `Whether ${plural} are imported from the host. They are kept up to date and never written back.`,
      false,
    ),
    mappings: objectField('Mappings from objects of the host to objects of the virtual cluster.', {
      byName: mapField(
        `Maps an object of the host to an object of the virtual cluster: ${examples}.`,
        objects,
        requiredText('The object of the virtual cluster.', objects),
      ),
    }),
    patches: importedPatchesField,
  })
}

const namespacedExamples = '`namespace/name` for one object, `namespace/*` for all objects of a namespace'

const toHost = objectField('Objects that are synced from the virtual cluster to the host.', {
  endpoints: kindSync('Endpoints', true),
  services: kindSync('Services', true),
  endpointSlices: kindSync('EndpointSlices', false),
  secrets: referencedKindSync('Secrets'),
  configMaps: referencedKindSync('ConfigMaps'),
  namespaces: namespaceSync,
  serviceAccounts: kindSync('ServiceAccounts', false),
  ingresses: kindSync('Ingresses', false),
  networkPolicies: kindSync('NetworkPolicies', false),
  persistentVolumeClaims: kindSync('PersistentVolumeClaims', true),
  pods: kindSync('Pods', true),
  podDisruptionBudgets: kindSync('PodDisruptionBudgets', false),
  customResources: mapField(
    'Custom resources, by plural and group such as `certificates.cert-manager.io`. The plural alone is enough if only one group has it.',
    customResourceName,
    kindSync('objects of this resource', false),
  ),
})

const nodes = objectField('Nodes of the host that are visible in the virtual cluster, without their addresses.', {
  mode: text(
    'Which nodes are visible: `none`; `used`, the nodes on which Pods of the tenant run; `selected`, these and all nodes that have the labels below. Nodes are not in a namespace, so `used` and `selected` require the right to read all nodes of the host.',
    nodeMode,
    'used',
  ),
  labels: mapField(
    'Labels of the nodes that are selected; without labels, all nodes are. The keys are visible in the virtual cluster in every mode, so that Pods can select nodes by them.',
    labelKeyFormat,
    requiredText('The value of the label.', labelValue),
  ),
})

const fromHost = objectField('Objects of the host that appear in the virtual cluster.', {
  configMaps: importedKindSync('ConfigMaps', namespacedObject, namespacedExamples),
  secrets: importedKindSync('Secrets', namespacedObject, namespacedExamples),
  customResources: mapField(
    'Custom resources, by plural and group such as `clusterissuers.cert-manager.io`.',
    customResourceName,
    importedKindSync(
      'objects of this resource',
      importedObject,
      `${namespacedExamples}, \`name\` or \`*\` for resources without a namespace`,
    ),
  ),
  nodes,
})

export const syncFields = objectField('What is synced between the virtual cluster and its host.', { toHost, fromHost })
