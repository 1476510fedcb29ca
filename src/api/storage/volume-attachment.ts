import { deepEqual } from '../../base/equal.ts'
import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn } from '../core/columns.ts'
import { checkSubdomain } from '../core/field-checks.ts'
import { type FieldError, invalidField, requiredField } from '../field-error.ts'
import type { VolumeAttachment } from '../types/storage-v1.ts'
import { checkDriverName } from './csi-driver-validation.ts'

export const volumeAttachment = builtinKind<VolumeAttachment>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  namespaced: false,
  hasStatus: true,
  deleteAnswer: 'object',
  allowsUnconditionalUpdate: false,
  message: 'k8s.io.api.storage.v1.VolumeAttachment',
  columns: [
    nameColumn,
    {
      ...column('Attacher', 'Driver that attaches the volume.', ({ spec }: VolumeAttachment) => spec.attacher),
      format: 'name',
    },
    column('PV', 'Volume that is attached.', ({ spec }) => spec.source.persistentVolumeName ?? ''),
    column('Node', 'Node that it is attached to.', ({ spec }) => spec.nodeName),
    {
      name: 'Attached',
      type: 'boolean',
      description: 'Whether it is attached.',
      value: ({ status }) => status.attached,
    },
    ageColumn,
  ],
  strategy: {
    validate: validateAttachment,
    validateUpdate: (after, before) =>
      deepEqual(after.spec, before.spec) ? [] : [invalidField('spec', after.spec, 'field is immutable')],
  },
})

function validateAttachment({ spec }: VolumeAttachment): readonly FieldError[] {
  const { persistentVolumeName, inlineVolumeSpec } = spec.source
  return [
    ...checkDriverName('spec.attacher', spec.attacher),
    ...(inlineVolumeSpec === undefined && persistentVolumeName === undefined
      ? [requiredField('spec.source', 'must specify exactly one of inlineVolumeSpec and persistentVolumeName')]
      : []),
    ...(persistentVolumeName === undefined
      ? []
      : checkVolumeName('spec.source.persistentVolumeName', persistentVolumeName)),
    ...checkSubdomain('spec.nodeName', spec.nodeName),
  ]
}

function checkVolumeName(field: string, name: string): readonly FieldError[] {
  return name === ''
    ? [requiredField(field, 'must specify non empty persistentVolumeName')]
    : checkSubdomain(field, name)
}
