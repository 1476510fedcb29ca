import { builtinKind } from '../../core/builtin-kind.ts'
import { createdAtColumn, nameColumn } from '../../core/columns.ts'
import type { Kind } from '../../kind.ts'
import { cleanupFinalizer } from '../../metadata/finalizers.ts'
import type { CustomResourceDefinition } from '../../types/apiextensions-v1.ts'
import { parseSimplePath } from '../simple-path.ts'
import { withCondition } from './definition-conditions.ts'
import { withConversionDefaults } from './definition-conversion.ts'
import { withNameDefaults } from './definition-names.ts'
import { readableDefinition } from './readable-definition.ts'
import { definitionErrorSteps, validateDefinitionUpdate } from './validate-definition.ts'

/** Users' definitions: each served version of a definition is a separate kind. */
export const customResourceDefinition: Kind = builtinKind<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  hasStatus: true,
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  hasNullRows: true,
  message: 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition',
  columns: [nameColumn, createdAtColumn],
  doubles: {
    names: new Set(['minimum', 'maximum', 'multipleOf']),
    outside: new Set(['default', 'enum', 'example']),
  },
  strategy: {
    defaults: withDefaults,
    prepareForCreate: (definition) => withStoredVersion(definition),
    prepareForUpdate: (definition) => withStoredVersion(definition),
    prepareForStatusUpdate: (definition) =>
      (definition.status.storedVersions ?? []).length === 0 ? withStoredVersion(definition) : definition,
    validateSchema: definitionErrorSteps,
    validateUpdate: validateDefinitionUpdate,
    warnings: unenforced,
    readable: readableDefinition,
    markDeleted,
    holdsDeletion: isHeld,
  },
})

function withDefaults(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec } = definition
  const conversion = withConversionDefaults(spec.conversion)
  return { ...definition, spec: { ...spec, names: withNameDefaults(spec.names), conversion } }
}

/** Lists every storage version since the objects were last migrated: they may be stored in any of these. */
function withStoredVersion(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec, status } = definition
  const stored = status.storedVersions ?? []
  const storage = (spec.versions ?? []).find((version) => version.storage)?.name
  if (storage === undefined || stored.includes(storage)) return definition
  return { ...definition, status: { ...status, storedVersions: [...stored, storage] } }
}

/** Its objects are deleted first. */
function markDeleted(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { metadata } = definition
  const finalizers = [...(metadata.finalizers ?? []).filter((each) => each !== cleanupFinalizer), cleanupFinalizer]
  return withCondition(
    { ...definition, metadata: { ...metadata, finalizers } },
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
    metadata.deletionTimestamp ?? null,
  )
}

function isHeld({ metadata }: CustomResourceDefinition): boolean {
  return metadata.finalizers?.includes(cleanupFinalizer) === true
}

/** What a definition requests but is not supported yet. */
function unenforced({ spec }: CustomResourceDefinition): readonly string[] {
  const versions = spec.versions ?? []
  return [
    ...versions.flatMap(({ additionalPrinterColumns }, index) =>
      (additionalPrinterColumns ?? []).flatMap(({ jsonPath }, at) =>
        parseSimplePath(jsonPath) === undefined
          ? [
              `spec.versions[${index}].additionalPrinterColumns[${at}].jsonPath: cannot be read by this server; the column stays empty`,
            ]
          : [],
      ),
    ),
  ]
}
