import { listField, objectField, optionalObject, optionalText, requiredText } from './field-builder.ts'
import { apiVersion, expression, fieldPath, kindName } from './text-format.ts'

const labels = optionalObject(
  'Treats the value as a label selector (matchLabels and matchExpressions, or a plain map of labels) and translates its keys. It has no options: write `labels: {}`.',
  {},
)

const reference = optionalObject(
  'Treats the value as a reference to another object and translates its name. What it refers to is synced or imported where that is configured.',
  {
    apiVersion: optionalText('API version of the referenced object.', apiVersion),
    apiVersionPath: optionalText(
      'Where the API version stands, relative to `path`. If nothing is found there, `apiVersion` counts.',
      fieldPath,
    ),
    kind: optionalText('Kind of the referenced object.', kindName),
    kindPath: optionalText(
      'Where the kind stands, relative to `path`. If nothing is found there, `kind` counts.',
      fieldPath,
    ),
    namePath: optionalText(
      'Where the name stands, relative to `path`.',
      fieldPath,
      'the value at `path` is the name itself',
    ),
    namespacePath: optionalText(
      'Where the namespace stands, relative to `path`. Only needed when namespaces are synced and the reference names one.',
      fieldPath,
      "the object's own namespace",
    ),
    labels,
  },
  {
    name: 'Reference',
    rules: [
      { type: 'any-of', members: ['apiVersion', 'apiVersionPath', 'labels'] },
      { type: 'any-of', members: ['kind', 'kindPath', 'labels'] },
    ],
  },
)

export const patchFields = objectField(
  'Changes one field of every object of the kind on its way. It has either expressions, or `reference`, or `labels`.',
  {
    path: requiredText(
      'The field to change, such as `metadata.annotations["example.com/key"]`. `[*]` means every element. A path that an object does not have changes nothing in it.',
      fieldPath,
    ),
    expression: optionalText(
      'JavaScript expression for the way from the virtual cluster to the host. `value` is the current value; `null` or `undefined` as a result removes the field.',
      expression,
      'that way is left alone',
    ),
    reverseExpression: optionalText(
      'JavaScript expression for the way from the host to the virtual cluster. It should undo `expression`.',
      expression,
      'that way is left alone',
    ),
    reference,
    labels,
  },
  {
    name: 'Patch',
    rules: [{ type: 'one-group', groups: [['expression', 'reverseExpression'], ['reference'], ['labels']] }],
  },
)

/** Objects from the host never go back. */
export const importedPatchesField = listField(
  'Changes to single fields on the way from the host, in the opposite order. It is `reverseExpression` that runs on this way; `expression` is an error.',
  patchFields,
  { distinct: 'path' },
)

export const patchesField = listField(
  'Changes to single fields on the way, in this order to the host and in the opposite order back.',
  patchFields,
  { distinct: 'path' },
)
