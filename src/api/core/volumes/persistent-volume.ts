import type { PersistentVolume } from '../../types/core-v1.ts'
import { roundedAmounts } from '../amounts/rounded-amounts.ts'
import { builtinKind } from '../builtin-kind.ts'
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts'
import { withoutAttributesClass } from './attributes-class.ts'
import { validateVolume, validateVolumeUpdate } from './persistent-volume-validation.ts'
import { withStorageDefaults } from './storage-defaults.ts'
import { accessModesText, classOf, orUnset, storageText } from './volume-columns.ts'
import { persistentVolumeWarnings } from './volume-warnings.ts'

export const persistentVolume = builtinKind<PersistentVolume>({
  group: '',
  version: 'v1',
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  shortNames: ['pv'],
  namespaced: false,
  hasStatus: true,
  deleteAnswer: 'object',
  message: 'k8s.io.api.core.v1.PersistentVolume',
  columns: [
    nameColumn,
    column('Capacity', 'Size of the volume.', ({ spec }) => storageText(spec.capacity)),
    column('Access Modes', 'Access modes of the volume.', ({ spec }) => accessModesText(spec.accessModes)),
    column('Reclaim Policy', 'What happens to the volume when its claim is deleted.', ({ spec }) => {
      return spec.persistentVolumeReclaimPolicy ?? ''
    }),
    column('Status', 'Whether the volume is bound to a claim.', ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined ? (status.phase ?? '') : 'Terminating',
    ),
    column('Claim', 'Claim of the volume.', ({ spec }) =>
      spec.claimRef === undefined ? '' : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`,
    ),
    column('StorageClass', 'Storage class of the volume.', ({ metadata, spec }) =>
      classOf(spec.storageClassName, metadata.annotations),
    ),
    column('VolumeAttributesClass', 'Volume attributes class of the volume.', ({ spec }) =>
      orUnset(spec.volumeAttributesClassName),
    ),
    column('Reason', 'Reason for the status.', ({ status }) => status.reason ?? ''),
    ageColumn,
    wideColumn('VolumeMode', 'File system or block device.', ({ spec }) => orUnset(spec.volumeMode)),
  ],
  strategy: {
    warnings: persistentVolumeWarnings,
    defaults: withDefaults,
    prepareForCreate: (object) => ({
      ...object,
      spec: withoutAttributesClass(object.spec, {}),
      status: { phase: 'Pending', ...transitionAt(object.metadata.creationTimestamp) },
    }),
    prepareForUpdate: (object, old) => ({ ...object, spec: withoutAttributesClass(object.spec, old.spec) }),
    prepareForStatusUpdate: withTransition,
    validate: validateVolume,
    validateUpdate: validateVolumeUpdate,
    validateStatusUpdate: () => [],
  },
})

function withDefaults(object: PersistentVolume): PersistentVolume {
  const { spec, status } = object
  return {
    ...object,
    spec: {
      ...withStorageDefaults(spec),
      ...(spec.capacity && { capacity: roundedAmounts(spec.capacity) }),
      persistentVolumeReclaimPolicy: spec.persistentVolumeReclaimPolicy ?? 'Retain',
      volumeMode: spec.volumeMode ?? 'Filesystem',
    },
    status: { ...status, phase: status.phase ?? 'Pending' },
  }
}

/** The time of the last transition stays as long as the phase does. */
function withTransition(object: PersistentVolume, { status: old }: PersistentVolume): PersistentVolume {
  const { phase, lastPhaseTransitionTime } = object.status
  if (phase !== old.phase || lastPhaseTransitionTime !== undefined) return object
  return { ...object, status: { ...object.status, ...transitionAt(old.lastPhaseTransitionTime) } }
}

function transitionAt(time: string | null | undefined): Pick<PersistentVolume['status'], 'lastPhaseTransitionTime'> {
  return time === undefined || time === null ? {} : { lastPhaseTransitionTime: time }
}
