import { deepEqual } from '../../../base/equal.ts'
import {
  allErrors,
  type FieldError,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '../../field-error.ts'
import type { PersistentVolume, PersistentVolumeSpec, VolumeNodeAffinity } from '../../types/core-v1.ts'
import { checkPositiveQuantity, checkStoredAmount } from '../amounts/stored-amounts.ts'
import { checkSubdomain } from '../field-checks.ts'
import { validateNodeSelector } from '../nodes/node-selector-validation.ts'
import { validateAccessModes, volumeModes } from './claim-validation.ts'
import { persistentSources } from './persistent-sources.ts'

const reclaimPolicies = ['Delete', 'Recycle', 'Retain']

/** Types that accepted mount options when these were in an annotation. */
const mountable = [
  ...(['gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'nfs', 'rbd', 'quobyte', 'iscsi', 'cinder'] as const),
  ...(['cephfs', 'azureFile', 'vsphereVolume', 'azureDisk', 'photonPersistentDisk'] as const),
]
const mountAnnotation = 'volume.beta.kubernetes.io/mount-options'

export function validateVolume(volume: PersistentVolume): readonly FieldError[] {
  return allErrors(validateOwnRules(volume), validateMountOptions(volume))
}

function validateMountOptions({ metadata, spec }: PersistentVolume): readonly FieldError[] {
  if (metadata.annotations?.[mountAnnotation] === undefined) return []
  if (mountable.some((source) => spec[source] !== undefined)) return []
  return [
    forbiddenField(`metadata.annotations.${mountAnnotation}`, 'may not specify mount options for this volume type'),
  ]
}

function validateOwnRules({ metadata, spec }: PersistentVolume): readonly FieldError[] {
  const { persistentVolumeReclaimPolicy: policy = '', storageClassName = '', volumeMode } = spec
  return allErrors(
    (spec.accessModes ?? []).length === 0 ? [requiredField('spec.accessModes')] : [],
    validateAccessModes('spec.accessModes', spec.accessModes ?? []),
    validateCapacity(spec.capacity),
    policy === '' || reclaimPolicies.includes(policy)
      ? []
      : [notSupportedField('spec.persistentVolumeReclaimPolicy', policy, reclaimPolicies)],
    spec.nodeAffinity === undefined ? [] : validateAffinity('spec.nodeAffinity', spec.nodeAffinity),
    validateSources(spec, metadata.name ?? ''),
    policy === 'Recycle' && isRoot(spec.hostPath?.path)
      ? [forbiddenField('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")]
      : [],
    storageClassName === '' ? [] : checkSubdomain('spec.storageClassName', storageClassName),
    volumeMode === undefined || volumeModes.includes(volumeMode)
      ? []
      : [notSupportedField('spec.volumeMode', volumeMode, volumeModes)],
  )
}

const notInline = 'may not be specified in the context of inline volumes'

/** For a volume that does not exist as an object: only CSI has them. */
export function validateInlineVolume(field: string, spec: PersistentVolumeSpec): readonly FieldError[] {
  const { persistentVolumeReclaimPolicy: policy = '', accessModes } = spec
  const source = persistentSources.find(({ name }) => name === 'csi')
  return [
    ...(spec.claimRef === undefined ? [] : [forbiddenField(`${field}.claimRef`, notInline)]),
    ...(spec.capacity === undefined ? [] : [forbiddenField(`${field}.capacity`, notInline)]),
    ...(spec.csi === undefined
      ? [requiredField(`${field}.csi`, 'has to be specified in the context of inline volumes')]
      : []),
    ...((accessModes ?? []).length === 0 ? [requiredField(`${field}.accessModes`)] : []),
    ...validateAccessModes(`${field}.accessModes`, accessModes ?? []),
    ...(policy === '' || policy === 'Retain'
      ? []
      : [
          forbiddenField(
            `${field}.persistentVolumeReclaimPolicy`,
            'may only be Retain in the context of inline volumes',
          ),
        ]),
    ...(spec.nodeAffinity === undefined ? [] : [forbiddenField(`${field}.nodeAffinity`, notInline)]),
    ...(spec.csi === undefined
      ? [requiredField(field, 'must specify a volume type')]
      : (source?.check(`${field}.csi`, spec, '') ?? [])),
  ]
}

function validateCapacity(capacity: PersistentVolumeSpec['capacity']): readonly FieldError[] {
  if (capacity === undefined) {
    const none = 'Unsupported value: core.ResourceList(nil): supported values: "storage"'
    return [requiredField('spec.capacity'), { reason: 'FieldValueNotSupported', field: 'spec.capacity', message: none }]
  }
  const isStorageAlone = Object.hasOwn(capacity, 'storage') && Object.keys(capacity).length === 1
  return allErrors(
    isStorageAlone ? [] : [notSupportedField('spec.capacity', capacity, ['storage'])],
    Object.entries(capacity).flatMap(([name, amount]) =>
      allErrors(
        checkStoredAmount(`spec.capacity[${name}]`, amount),
        checkPositiveQuantity(`spec.capacity[${name}]`, String(amount)),
      ),
    ),
  )
}

function validateAffinity(field: string, { required }: VolumeNodeAffinity): readonly FieldError[] {
  return required === undefined
    ? [requiredField(`${field}.required`, 'must specify required node constraints')]
    : validateNodeSelector(`${field}.required`, required)
}

/** A volume has one type; the first one given counts. For Flex, Kubernetes does not check whether it is the first. */
function validateSources(spec: PersistentVolumeSpec, name: string): readonly FieldError[] {
  const given = persistentSources.filter((source) => spec[source.name] !== undefined)
  const [first] = given
  if (first === undefined) return [requiredField('spec', 'must specify a volume type')]
  return given.flatMap((source) => {
    if (source !== first && source.name !== 'flexVolume') {
      return [forbiddenField(`spec.${source.refused ?? source.name}`, 'may not specify more than 1 volume type')]
    }
    return allErrors(
      source.check(`spec.${source.told ?? source.name}`, spec, name),
      source.name === 'local' && spec.nodeAffinity === undefined
        ? [requiredField('spec.nodeAffinity', 'Local volume requires node affinity')]
        : [],
    )
  })
}

/** Only slashes and single dots, or a path that leads up to the root. */
function isRoot(path: string | undefined): boolean {
  if (path === undefined || !path.startsWith('/')) return false
  let depth = 0
  for (const part of path.split('/')) {
    if (part === '..') depth = Math.max(0, depth - 1)
    else if (part !== '' && part !== '.') depth++
  }
  return depth === 0
}

/**
 * The location of data does not change; how it is claimed does. As in Kubernetes, causes in the spec are reported once
 * for the object and once for the change.
 */
export function validateVolumeUpdate(after: PersistentVolume, before: PersistentVolume): readonly FieldError[] {
  return allErrors(
    deepEqual(sourceOf(withoutLateSecret(after.spec, before.spec)), sourceOf(before.spec))
      ? []
      : [forbiddenField('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation')],
    after.spec.volumeMode === before.spec.volumeMode
      ? []
      : [invalidField('volumeMode', after.spec.volumeMode, 'field is immutable')],
    before.spec.nodeAffinity === undefined || isSameAffinity(after.spec.nodeAffinity, before.spec.nodeAffinity)
      ? []
      : [
          invalidField(
            'nodeAffinity',
            after.spec.nodeAffinity,
            'field is immutable, except for updating from beta label to GA',
          ),
        ],
  )
}

function sourceOf(spec: PersistentVolumeSpec): unknown {
  return persistentSources.map(({ name }) => spec[name])
}

/** The secret for expanding a volume may be added later. */
function withoutLateSecret(after: PersistentVolumeSpec, before: PersistentVolumeSpec): PersistentVolumeSpec {
  if (after.csi?.controllerExpandSecretRef === undefined || before.csi === undefined) return after
  if (before.csi.controllerExpandSecretRef !== undefined) return after
  const { controllerExpandSecretRef: _, ...csi } = after.csi
  return { ...after, csi }
}

const renamedLabels: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
}

/** A beta label may be replaced by its stable name. */
function isSameAffinity(after: VolumeNodeAffinity | undefined, before: VolumeNodeAffinity): boolean {
  const now = after?.required?.nodeSelectorTerms ?? []
  const renamed = before.required && {
    nodeSelectorTerms: (before.required.nodeSelectorTerms ?? []).map((term, index) => ({
      ...term,
      ...(term.matchExpressions && {
        matchExpressions: term.matchExpressions.map((expression, at) => {
          const key = now[index]?.matchExpressions?.[at]?.key
          return key !== undefined && renamedLabels[expression.key] === key ? { ...expression, key } : expression
        }),
      }),
    })),
  }
  return deepEqual(after, renamed === undefined ? before : { ...before, required: renamed })
}
