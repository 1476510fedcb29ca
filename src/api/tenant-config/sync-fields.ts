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
  return objectField(`How ${plural} of the virtual cluster appear in the host.`, {
    enabled: flag(`Whether ${plural} are synced to the host.`, initial),
    patches: patchesField,
  })
}

function referencedKindSync(plural: string) {
  return objectField(`How ${plural} of the virtual cluster appear in the host.`, {
    enabled: flag(`Whether ${plural} are synced to the host.`, true),
    all: flag(`Whether all ${plural} are synced, and not only those that something synced refers to.`, false),
    patches: patchesField,
  })
}

const namespaceSync = objectField(
  'Multi-namespace mode: namespaces of the virtual cluster become namespaces of the host, and objects keep their names.',
  {
    enabled: flag('Whether namespaces are synced to the host.', false),
    mappings: objectField('Which namespace becomes which.', {
      byName: mapField(
        `From a namespace of the virtual cluster to one of the host. A \`*\` at the end of both stands for the same rest of the name, and \`\${name}\` in the host namespace for the name of the tenant. The most exact entry counts.`,
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
    mappings: objectField('Which object of the host becomes which in the virtual cluster.', {
      byName: mapField(
        `From an object of the host to one of the virtual cluster: ${examples}.`,
        objects,
        requiredText('The object of the virtual cluster.', objects),
      ),
    }),
    patches: importedPatchesField,
  })
}

const namespacedExamples = '`namespace/name` for one, `namespace/*` for all of a namespace'

const toHost = objectField('What goes from the virtual cluster to the host.', {
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
    'Custom resources, by plural and group such as `certificates.cert-manager.io`. The plural alone is enough where only one group has it.',
    customResourceName,
    kindSync('objects of this resource', false),
  ),
})

const nodes = objectField('Which nodes of the host are seen in the virtual cluster, without their addresses.', {
  mode: text(
    'Which ones: `none`; `used`: those on which Pods of the tenant run; `selected`: those and all that have the labels below. Nodes are in no namespace, so `used` and `selected` take the right to read all nodes of the host.',
    nodeMode,
    'used',
  ),
  labels: mapField(
    'Labels of the nodes that are selected; none: all nodes. The keys are seen in the virtual cluster, whatever the mode, so that Pods can select nodes by them.',
    labelKeyFormat,
    requiredText('The value of the label.', labelValue),
  ),
})

const fromHost = objectField('What goes from the host to the virtual cluster.', {
  configMaps: importedKindSync('ConfigMaps', namespacedObject, namespacedExamples),
  secrets: importedKindSync('Secrets', namespacedObject, namespacedExamples),
  customResources: mapField(
    'Custom resources, by plural and group such as `clusterissuers.cert-manager.io`.',
    customResourceName,
    importedKindSync(
      'objects of this resource',
      importedObject,
      `${namespacedExamples}, \`name\` or \`*\` for resources without namespace`,
    ),
  ),
  nodes,
})

export const syncFields = objectField('What is synced between the virtual cluster and its host.', { toHost, fromHost })
