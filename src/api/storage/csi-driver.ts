import { deepEqual } from '../../base/equal.ts'
import { builtinKind, type TypedColumn } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn } from '../core/columns.ts'
import type { CSIDriver, CSIDriverSpec } from '../types/storage-v1.ts'
import { validateDriver, validateDriverUpdate } from './csi-driver-validation.ts'

export const csiDriver = builtinKind<CSIDriver>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  namespaced: false,
  deleteAnswer: 'object',
  allowsUnconditionalUpdate: false,
  message: 'k8s.io.api.storage.v1.CSIDriver',
  columns: [
    nameColumn,
    flag('AttachRequired', 'Whether volumes are attached to nodes first.', (spec) => spec.attachRequired ?? true),
    flag(
      'PodInfoOnMount',
      'Whether the driver receives information about the pod.',
      (spec) => spec.podInfoOnMount ?? false,
    ),
    flag(
      'StorageCapacity',
      'Whether the driver reports its storage capacity.',
      (spec) => spec.storageCapacity ?? false,
    ),
    column('TokenRequests', 'Audiences of the tokens that the driver receives.', ({ spec }) => {
      const audiences = (spec.tokenRequests ?? []).map(({ audience }) => audience)
      return audiences.length === 0 ? '<unset>' : audiences.join(',')
    }),
    flag('RequiresRepublish', 'Whether volumes are published periodically.', (spec) => {
      return spec.requiresRepublish ?? false
    }),
    column('Modes', 'Volume lifecycles that the driver supports.', ({ spec }) =>
      (spec.volumeLifecycleModes ?? []).join(','),
    ),
    ageColumn,
  ],
  strategy: {
    defaults: (object) => ({ ...object, spec: withDefaults(object.spec) }),
    prepareForUpdate: withGenerationOfChanges,
    validate: validateDriver,
    validateUpdate: validateDriverUpdate,
  },
})

/** The generation counts changes, but not the creation of a driver. */
function withGenerationOfChanges(object: CSIDriver, old: CSIDriver): CSIDriver {
  if (deepEqual(object.spec, old.spec)) return object
  return { ...object, metadata: { ...object.metadata, generation: (old.metadata.generation ?? 0) + 1 } }
}

function withDefaults(spec: CSIDriverSpec): CSIDriverSpec {
  return {
    ...spec,
    attachRequired: spec.attachRequired ?? true,
    podInfoOnMount: spec.podInfoOnMount ?? false,
    storageCapacity: spec.storageCapacity ?? false,
    fsGroupPolicy: spec.fsGroupPolicy ?? 'ReadWriteOnceWithFSType',
    volumeLifecycleModes: spec.volumeLifecycleModes ?? ['Persistent'],
    requiresRepublish: spec.requiresRepublish ?? false,
    seLinuxMount: spec.seLinuxMount ?? false,
  }
}

function flag(name: string, description: string, value: (spec: CSIDriverSpec) => boolean): TypedColumn<CSIDriver> {
  return { name, type: 'boolean', description, value: ({ spec }) => value(spec) }
}
