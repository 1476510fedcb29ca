import type { PersistentVolumeClaim } from '../../types/core-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts'
import { withoutAttributesClass } from './attributes-class.ts'
import { withDataSources } from './claim-data-source.ts'
import { withClaimDefaults } from './claim-defaults.ts'
import { validateClaimStatus } from './claim-status-validation.ts'
import { validateClaimUpdate } from './claim-update-validation.ts'
import { validateClaim } from './claim-validation.ts'
import { claimWarnings } from './claim-warnings.ts'
import { accessModesText, classOf, orUnset, storageText } from './volume-columns.ts'

export const persistentVolumeClaim = builtinKind<PersistentVolumeClaim>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  namespaced: true,
  hasStatus: true,
  deleteAnswer: 'object',
  message: 'k8s.io.api.core.v1.PersistentVolumeClaim',
  columns: [
    nameColumn,
    column('Status', 'Whether the claim is bound to a volume.', ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined ? (status.phase ?? '') : 'Terminating',
    ),
    column('Volume', 'Volume of the claim.', ({ spec }) => spec.volumeName ?? ''),
    column('Capacity', 'Size of the volume.', (claim) => (hasVolume(claim) ? storageText(claim.status.capacity) : '')),
    column('Access Modes', 'Access modes of the volume.', (claim) =>
      hasVolume(claim) ? accessModesText(claim.status.accessModes) : '',
    ),
    column('StorageClass', 'Requested storage class.', ({ metadata, spec }) =>
      classOf(spec.storageClassName, metadata.annotations),
    ),
    column('VolumeAttributesClass', 'Requested volume attributes class.', ({ spec }) =>
      orUnset(spec.volumeAttributesClassName),
    ),
    ageColumn,
    wideColumn('VolumeMode', 'File system or block device.', ({ spec }) => orUnset(spec.volumeMode)),
  ],
  strategy: {
    warnings: claimWarnings,
    defaults: withClaimDefaults,
    prepareForCreate: (object) => ({
      ...object,
      spec: withDataSources(withoutAttributesClass(object.spec, {})),
      status: { phase: 'Pending' },
    }),
    prepareForUpdate: (object, old) => ({
      ...object,
      spec: withDataSources(withoutAttributesClass(object.spec, old.spec), old.spec),
    }),
    prepareForStatusUpdate: withoutAttributesStatus,
    validate: validateClaim,
    validateUpdate: validateClaimUpdate,
    validateStatusUpdate: validateClaimStatus,
  },
})

/** The same for the status fields of such classes. */
function withoutAttributesStatus(claim: PersistentVolumeClaim, { status: old }: PersistentVolumeClaim) {
  const { currentVolumeAttributesClassName: name, modifyVolumeStatus: change, ...status } = claim.status
  return {
    ...claim,
    status: {
      ...status,
      ...(name === undefined || old.currentVolumeAttributesClassName === undefined
        ? {}
        : { currentVolumeAttributesClassName: name }),
      ...(change === undefined || old.modifyVolumeStatus === undefined ? {} : { modifyVolumeStatus: change }),
    },
  }
}

/** In a virtual cluster the volume has no name: it belongs to the host. */
function hasVolume({ spec, status }: PersistentVolumeClaim): boolean {
  return spec.volumeName !== undefined || status.phase === 'Bound'
}
