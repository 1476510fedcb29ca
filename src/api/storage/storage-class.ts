import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn } from '../core/columns.ts'
import type { StorageClass } from '../types/storage-v1.ts'
import { validateStorageClass, validateStorageClassUpdate } from './storage-class-validation.ts'
import { topologyWarnings } from './topology-validation.ts'

const defaultAnnotation = 'storageclass.kubernetes.io/is-default-class'

export const storageClass = builtinKind<StorageClass>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  plural: 'storageclasses',
  shortNames: ['sc'],
  namespaced: false,
  deleteAnswer: 'object',
  message: 'k8s.io.api.storage.v1.StorageClass',
  columns: [
    {
      ...nameColumn,
      value: ({ metadata }) =>
        metadata.annotations?.[defaultAnnotation] === 'true' ? `${metadata.name} (default)` : (metadata.name ?? ''),
    },
    column('Provisioner', 'Provisioner that creates the volumes.', ({ provisioner }) => provisioner),
    column('ReclaimPolicy', 'What happens to a volume when its claim is deleted.', ({ reclaimPolicy }) => {
      return reclaimPolicy ?? ''
    }),
    column(
      'VolumeBindingMode',
      'When volumes are created and bound.',
      ({ volumeBindingMode }) => volumeBindingMode ?? '',
    ),
    column('AllowVolumeExpansion', 'Whether volumes can be expanded.', ({ allowVolumeExpansion }) => {
      return allowVolumeExpansion ?? false
    }),
    ageColumn,
  ],
  strategy: {
    defaults: (object) => ({
      ...object,
      reclaimPolicy: object.reclaimPolicy ?? 'Delete',
      volumeBindingMode: object.volumeBindingMode ?? 'Immediate',
    }),
    validate: validateStorageClass,
    validateUpdate: validateStorageClassUpdate,
    warnings: ({ allowedTopologies = [] }) => topologyWarnings('allowedTopologies', allowedTopologies),
  },
})
