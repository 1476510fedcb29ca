import { listField, objectField, optionalObject, optionalText, requiredText } from './field-builder.ts'
import { apiVersion, expression, fieldPath, kindName } from './text-format.ts'

const labels = optionalObject(
  'Treats the value as a label selector (matchLabels and matchExpressions, or a plain map of labels) and translates its keys. It has no options: write `labels: {}`.',
  {},
)

const reference = optionalObject(
  'Treats the value as a reference to another object and translates its name. The referenced object is synced or imported where that is configured.',
  {
    apiVersion: optionalText('API version of the referenced object.', apiVersion),
    apiVersionPath: optionalText(
      'Path of the API version, relative to `path`. If nothing is found there, `apiVersion` applies.',
      fieldPath,
    ),
    kind: optionalText('Kind of the referenced object.', kindName),
    kindPath: optionalText(
      'Path of the kind, relative to `path`. If nothing is found there, `kind` applies.',
      fieldPath,
    ),
    namePath: optionalText(
      'Path of the name, relative to `path`.',
      fieldPath,
      'the value at `path` is the name itself',
    ),
    namespacePath: optionalText(
      'Path of the namespace, relative to `path`. Only needed when namespaces are synced and the reference names one.',
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
  'Changes one field of every object of the kind while it is synced. A patch has expressions, `reference` or `labels`.',
  {
    path: requiredText(
      'The field to change, such as `metadata.annotations["example.com/key"]`. `[*]` means every element. The patch changes nothing in an object that does not have the path.',
      fieldPath,
    ),
    expression: optionalText(
      'JavaScript expression for the direction from the virtual cluster to the host. `value` is the current value; a result of `null` or `undefined` removes the field.',
      expression,
      'no change in this direction',
    ),
    reverseExpression: optionalText(
      'JavaScript expression for the direction from the host to the virtual cluster. It should undo `expression`.',
      expression,
      'no change in this direction',
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
  'Changes to single fields on the way from the host, in reverse order. In this direction `reverseExpression` runs; `expression` is an error.',
  patchFields,
  { distinct: 'path' },
)

export const patchesField = listField(
  'Changes to single fields, in this order on the way to the host and in reverse order on the way back.',
  patchFields,
  { distinct: 'path' },
)
