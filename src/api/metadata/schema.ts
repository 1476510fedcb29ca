import type { Schema } from '../schema.ts'
import { boolean, integer, list, listMap, map, object, string, stringSet, strings, time } from '../schema-builder.ts'

const metaV1 = 'io.k8s.apimachinery.pkg.apis.meta.v1'

/** Opaque field sets of managedFields. */
export const fieldsV1Schema: Schema = {
  type: 'object',
  format: 'fields-v1',
  name: `${metaV1}.FieldsV1`,
  description:
    'A set of fields as a nested JSON object: `f:<name>` is a field, `k:<keys>` an item of a keyed list, `v:<value>` an item of a set, `i:<index>` a position, and `.` the element itself.',
  preserveUnknownFields: true,
}

export const managedFieldsEntrySchema: Schema = object(
  'Which fields one writer last wrote through one API version and endpoint.',
  {
    manager: string('Name of the program or person that wrote the fields.'),
    operation: string('How the fields were written: `Apply` for server-side apply, `Update` for everything else.', {
      goType: 'v1.ManagedFieldsOperationType',
    }),
    apiVersion: string('API version in which the fields are named, as `group/version`.'),
    time: time('When this entry was made, or when a field was last added to it, changed or removed by its manager.'),
    fieldsType: string('Format of the field set. `FieldsV1` is the only one.'),
    fieldsV1: fieldsV1Schema,
    subresource: string('Name of the subresource through which the fields were written; empty for the object itself.'),
  },
  { name: `${metaV1}.ManagedFieldsEntry` },
)

export const ownerReferenceSchema: Schema = object(
  'Points to the object that owns this one. It lives in the same namespace or is cluster-scoped.',
  {
    apiVersion: string('API version of the owner.'),
    kind: string('Kind of the owner.'),
    name: string('Name of the owner.'),
    uid: string('UID of the owner. An owner of the same name with another UID is not this owner.', {
      goType: 'types.UID',
    }),
    controller: boolean('Whether the owner is the controller that manages this object. At most one may be.'),
    blockOwnerDeletion: boolean(
      'Whether the owner, when it is deleted in the foreground, must wait until this object is gone. Setting it requires permission to delete the owner.',
    ),
  },
  {
    name: `${metaV1}.OwnerReference`,
    mapType: 'atomic',
    required: ['apiVersion', 'kind', 'name', 'uid'],
  },
)

/** `metadata` of every kind. */
export const objectMetaSchema: Schema = object(
  'What every stored object has: its name, its identity and history, and what its users attach to it.',
  {
    name: string(
      'Name of the object, unique among the objects of its kind in its namespace. It is needed at creation unless generateName is given, and never changes.',
    ),
    generateName: string(
      'Prefix from which the server makes a unique name when name is empty: it appends five random characters and cuts the prefix where needed. If no free name is found, the answer is 409.',
    ),
    namespace: string(
      'Namespace in which the object lives. Empty for objects of cluster-scoped kinds. It never changes.',
    ),
    selfLink: string('Deprecated: the server no longer fills it in.'),
    uid: string(
      'Identity of the object over time and space. The server makes it; an object made again under the same name has another one.',
      { goType: 'types.UID' },
    ),
    resourceVersion: string(
      'Opaque version of the stored object. Send it back unchanged in an update to have the update refused if another client wrote in between, or use it to start a watch.',
    ),
    generation: integer('Counts the changes of the desired state. Set by the server.'),
    creationTimestamp: time('When the object was created. Set by the server.'),
    deletionTimestamp: time(
      'When the object is to go, set by the server once its deletion was requested. It cannot be taken back or moved later. The object disappears when the time has passed and no finalizers are left.',
    ),
    deletionGracePeriodSeconds: integer(
      'Seconds that the object was given to end by itself before it is removed. Set together with deletionTimestamp, and only ever shortened.',
    ),
    labels: map(
      'Keys and values by which objects are organized and selected.',
      { type: 'string' },
      { mapType: 'granular' },
    ),
    annotations: map(
      'Keys and values that tools and people attach to the object. They cannot be selected by.',
      { type: 'string' },
      { mapType: 'granular' },
    ),
    ownerReferences: listMap(
      'Objects that this one depends on. When all of them are gone, it is removed too.',
      ['uid'],
      ownerReferenceSchema,
      { patchStrategy: 'merge', patchMergeKey: 'uid' },
    ),
    finalizers: stringSet(
      'Names of those who still have work to do before the object may disappear. Each removes its own entry when it is done. Once deletion was requested, entries can only be removed.',
      { patchStrategy: 'merge' },
    ),
    managedFields: list(
      'Which writer set which fields. Server-side apply keeps this record; few people need to read or change it.',
      managedFieldsEntrySchema,
    ),
  },
  { name: `${metaV1}.ObjectMeta` },
)

export const labelSelectorSchema: Schema = object(
  'Selects objects by their labels. All of its requirements must hold. An empty selector selects everything, an absent one nothing.',
  {
    matchLabels: map('Labels that must be there with exactly these values.', { type: 'string' }),
    matchExpressions: list(
      'Further requirements.',
      object(
        'A requirement on one label.',
        {
          key: string('Label that the requirement is about.'),
          operator: string('How the label is tested: `In`, `NotIn`, `Exists` or `DoesNotExist`.', {
            goType: 'v1.LabelSelectorOperator',
          }),
          values: strings('Values to test against: at least one for `In` and `NotIn`, none for the others.'),
        },
        { name: `${metaV1}.LabelSelectorRequirement`, required: ['key', 'operator'] },
      ),
    ),
  },
  { name: `${metaV1}.LabelSelector`, mapType: 'atomic' },
)

/** One item of `status.conditions`. */
export const conditionSchema: Schema = object(
  'One aspect of the observed state.',
  {
    type: string('Which aspect this is about.', { maxLength: 316 }),
    status: string('Whether it holds: `True`, `False` or `Unknown`.', { goType: 'v1.ConditionStatus' }),
    observedGeneration: integer('Generation of the object that this was observed on.', { minimum: 0 }),
    lastTransitionTime: time('When status last changed.'),
    reason: string('Why status last changed, as one word in CamelCase.', { maxLength: 1024 }),
    message: string('The same for people; may be empty.', { maxLength: 32768 }),
  },
  {
    name: `${metaV1}.Condition`,
    required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  },
)
