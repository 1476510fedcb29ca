import { deepEqual } from '../../base/equal.ts'
import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn } from '../core/columns.ts'
import { checkDriverName } from '../core/driver-name.ts'
import { checkSubdomain } from '../core/field-checks.ts'
import { validateInlineVolume } from '../core/volumes/persistent-volume-validation.ts'
import { type FieldError, forbiddenField, invalidField, requiredField, tooLongField } from '../field-error.ts'
import { ownMetadata } from '../kind.ts'
import type { VolumeAttachment, VolumeAttachmentSource, VolumeError } from '../types/storage-v1.ts'
import { utf8Length } from '../utf8-length.ts'

export const volumeAttachment = builtinKind<VolumeAttachment>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  namespaced: false,
  hasStatus: true,
  statusKeeps: ownMetadata,
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
    column('Node', 'Node that the volume is attached to.', ({ spec }) => spec.nodeName),
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
    // Reported once for the object and once for the change, as in Kubernetes.
    validateStatusUpdate: ({ status }) => [...statusErrors(status), ...statusErrors(status)],
    validateUpdate: (after, before) =>
      deepEqual(after.spec, before.spec) ? [] : [invalidField('spec', after.spec, 'field is immutable')],
  },
})

const mostMessageBytes = 1024
/** The limit that Kubernetes names differs from the one it enforces. */
const toldMessageBytes = 262_144

function statusErrors({ attachError, detachError }: VolumeAttachment['status']): readonly FieldError[] {
  return [...validateError('status.attachError', attachError), ...validateError('status.detachError', detachError)]
}

function validateError(field: string, error: VolumeError | undefined): readonly FieldError[] {
  return utf8Length(error?.message ?? '') > mostMessageBytes ? [tooLongField(`${field}.message`, toldMessageBytes)] : []
}

/** As in Kubernetes, missing fields are reported first, and names are checked last. */
function validateAttachment({ spec }: VolumeAttachment): readonly FieldError[] {
  const { persistentVolumeName } = spec.source
  return [
    ...(spec.attacher === '' ? [requiredField('spec.attacher')] : []),
    ...validateSource('spec.source', spec.source),
    ...checkSubdomain('spec.nodeName', spec.nodeName),
    ...checkDriverName('spec.attacher', spec.attacher),
    ...(persistentVolumeName === undefined
      ? []
      : checkSubdomain('spec.source.persistentVolumeName', persistentVolumeName)),
  ]
}

function validateSource(field: string, source: VolumeAttachmentSource): readonly FieldError[] {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
  if (name === undefined)
    return inline === undefined
      ? [requiredField(field, exactlyOne)]
      : validateInlineVolume(`${field}.inlineVolumeSpec`, inline)
  if (inline !== undefined) return [forbiddenField(field, exactlyOne)]
  if (name !== '') return []
  return [requiredField(`${field}.persistentVolumeName`, 'must specify non empty persistentVolumeName')]
}
