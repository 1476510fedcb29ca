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

const managedFieldsEntrySchema: Schema = object(
  'The fields that one manager last wrote through one API version and endpoint.',
  {
    manager: string('Name of the manager that wrote the fields.'),
    operation: string('How the fields were written: `Apply` for server-side apply, `Update` for everything else.', {
      goType: 'v1.ManagedFieldsOperationType',
    }),
    apiVersion: string('API version in which the fields are named, as `group/version`.'),
    time: time('Time at which the entry was created, or at which its manager last added, changed or removed a field.'),
    fieldsType: string('Format of the field set. `FieldsV1` is the only one.'),
    fieldsV1: fieldsV1Schema,
    subresource: string('Name of the subresource through which the fields were written. Empty for the object itself.'),
  },
  { name: `${metaV1}.ManagedFieldsEntry` },
)

const ownerReferenceSchema: Schema = object(
  'Refers to an owner of this object. The owner is in the same namespace or is cluster-scoped.',
  {
    apiVersion: string('API version of the owner.'),
    kind: string('Kind of the owner.'),
    name: string('Name of the owner.'),
    uid: string('UID of the owner. An object with the same name and another UID is not the owner.', {
      goType: 'types.UID',
    }),
    controller: boolean('Whether the owner is the controller that manages this object. Only one owner can be.'),
    blockOwnerDeletion: boolean(
      'Whether the owner, if it is deleted in the foreground, is kept until this object has been deleted. Setting it requires permission to delete the owner.',
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
  "Standard object's metadata: its name, identity and history, and the labels and annotations that users attach.",
  {
    name: string(
      'Name of the object, unique among the objects of its kind in its namespace. Required at creation unless generateName is set. Immutable.',
    ),
    generateName: string(
      'Prefix from which the server generates a unique name if name is empty: it appends five random characters and truncates the prefix if necessary. If no free name is found, the request fails with 409.',
    ),
    namespace: string('Namespace of the object. Empty for cluster-scoped objects. Immutable.'),
    selfLink: string('Deprecated: the server no longer sets this field.'),
    uid: string(
      'Unique ID of the object. Set by the server; an object that is created again with the same name has another UID.',
      { goType: 'types.UID' },
    ),
    resourceVersion: string(
      'Opaque version of the stored object. If an update includes it, the update is refused if another client has changed the object since. It can also be used to start a watch.',
    ),
    generation: integer('Number that increases with every change of the desired state. Set by the server.'),
    creationTimestamp: time('CreationTimestamp is a timestamp of when the object was created. Set by the server.'),
    deletionTimestamp: time(
      'Time after which the object is removed. Set by the server when deletion is requested; it cannot be unset or postponed. The object is removed when the time has passed and no finalizers remain.',
    ),
    deletionGracePeriodSeconds: integer(
      'Seconds that the object has to terminate gracefully before it is removed. Set together with deletionTimestamp; it can only be reduced.',
    ),
    labels: map(
      'Keys and values that organize objects. Selectors can refer to them.',
      { type: 'string' },
      { mapType: 'granular' },
    ),
    annotations: map(
      'Keys and values that tools and users attach to the object. Selectors cannot refer to them.',
      { type: 'string' },
      { mapType: 'granular' },
    ),
    ownerReferences: listMap(
      'Objects that this one depends on. When all of them have been deleted, this object is deleted too.',
      ['uid'],
      ownerReferenceSchema,
      { patchStrategy: 'merge', patchMergeKey: 'uid' },
    ),
    finalizers: stringSet(
      'Cleanup that must finish before the object is removed. Each component removes its own entry when it is done. After deletion has been requested, entries can only be removed.',
      { patchStrategy: 'merge' },
    ),
    managedFields: list(
      'The fields that each manager has set. Server-side apply maintains this record; users seldom need to read or change it.',
      managedFieldsEntrySchema,
    ),
  },
  { name: `${metaV1}.ObjectMeta` },
)

export const labelSelectorSchema: Schema = object(
  'Selects objects by their labels. All requirements must be met. An empty selector selects all objects, an absent one selects none.',
  {
    matchLabels: map('Labels that an object must have, with exactly these values.', { type: 'string' }),
    matchExpressions: list(
      'Additional requirements.',
      object(
        'A requirement for one label.',
        {
          key: string('Key of the label.'),
          operator: string('How the label is tested: `In`, `NotIn`, `Exists` or `DoesNotExist`.', {
            goType: 'v1.LabelSelectorOperator',
          }),
          values: strings('Values to compare with: at least one for `In` and `NotIn`, none for the other operators.'),
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
    type: string('The aspect that the condition describes.', { maxLength: 316 }),
    status: string('Whether the condition holds: `True`, `False` or `Unknown`.', { goType: 'v1.ConditionStatus' }),
    observedGeneration: integer('Generation of the object that the condition was observed for.', { minimum: 0 }),
    lastTransitionTime: time('Time of the last change of status.'),
    reason: string('Reason for the last change of status, as one word in CamelCase.', { maxLength: 1024 }),
    message: string('Details for human readers. May be empty.', { maxLength: 32768 }),
  },
  {
    name: `${metaV1}.Condition`,
    required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  },
)
