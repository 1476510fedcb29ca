import type { PersistentVolume } from '../types/core-v1.ts'
import { builtinKind } from './builtin-kind.ts'
import { ageColumn, column, nameColumn, wideColumn } from './columns.ts'
import { validateVolume, validateVolumeUpdate } from './persistent-volume-validation.ts'
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
    column('Capacity', 'Its size.', ({ spec }) => storageText(spec.capacity)),
    column('Access Modes', 'How it may be used.', ({ spec }) => accessModesText(spec.accessModes)),
    column('Reclaim Policy', 'What happens to it when its claim is gone.', ({ spec }) => {
      return spec.persistentVolumeReclaimPolicy ?? ''
    }),
    column('Status', 'Whether a claim has it.', ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined ? (status.phase ?? '') : 'Terminating',
    ),
    column('Claim', 'Claim that has it.', ({ spec }) =>
      spec.claimRef === undefined ? '' : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`,
    ),
    column('StorageClass', 'Class of storage that it is of.', ({ metadata, spec }) =>
      classOf(spec.storageClassName, metadata.annotations),
    ),
    column('VolumeAttributesClass', 'Class of attributes that it has.', ({ spec }) =>
      orUnset(spec.volumeAttributesClassName),
    ),
    column('Reason', 'Why it is in this state.', ({ status }) => status.reason ?? ''),
    ageColumn,
    wideColumn('VolumeMode', 'A file system, or a bare device.', ({ spec }) => orUnset(spec.volumeMode)),
  ],
  strategy: {
    warnings: persistentVolumeWarnings,
    defaults: withDefaults,
    prepareForCreate: (object) => ({
      ...object,
      status: { phase: 'Pending', ...transitionAt(object.metadata.creationTimestamp) },
    }),
    validate: validateVolume,
    validateUpdate: validateVolumeUpdate,
  },
})

function withDefaults(object: PersistentVolume): PersistentVolume {
  const { spec, status } = object
  return {
    ...object,
    spec: {
      ...spec,
      persistentVolumeReclaimPolicy: spec.persistentVolumeReclaimPolicy ?? 'Retain',
      volumeMode: spec.volumeMode ?? 'Filesystem',
      ...(spec.hostPath && { hostPath: { type: '', ...spec.hostPath } }),
    },
    status: { ...status, phase: status.phase ?? 'Pending' },
  }
}

function transitionAt(time: string | null | undefined): Pick<PersistentVolume['status'], 'lastPhaseTransitionTime'> {
  return time === undefined || time === null ? {} : { lastPhaseTransitionTime: time }
}
