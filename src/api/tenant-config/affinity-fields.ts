import type { IntegerField } from './field.ts'
import { listField, mapField, objectField, optionalObject, requiredText, texts } from './field-builder.ts'
import { labelKeyFormat, labelValue, namespaceName, nodeOperator, plainText, podOperator } from './text-format.ts'

const weight: IntegerField<'required'> = {
  type: 'integer',
  presence: 'required',
  description: 'How much it counts against others.',
  minimum: 1,
  maximum: 100,
}

function expressions(of: string, operator: typeof nodeOperator) {
  const requirement = objectField('One of them.', {
    key: requiredText('Key of the label.', labelKeyFormat),
    operator: requiredText(`How the values count: ${operator.expectation}.`, operator),
    values: texts('Values of the label.', 'A value.', plainText),
  })
  return listField(`What labels of ${of} have to be.`, requirement)
}

const nodeTerm = objectField('Nodes that fit all of it.', { matchExpressions: expressions('nodes', nodeOperator) })

const nodeAffinity = optionalObject('Which nodes they run on.', {
  requiredDuringSchedulingIgnoredDuringExecution: optionalObject('Nodes that they run on.', {
    nodeSelectorTerms: listField('A node fits if it fits one of them.', nodeTerm),
  }),
  preferredDuringSchedulingIgnoredDuringExecution: listField(
    'Nodes that they would rather run on.',
    objectField('One preference.', { weight, preference: nodeTerm }),
  ),
})

const podTerm = objectField('Pods that fit all of it.', {
  labelSelector: objectField('By their labels.', {
    matchLabels: mapField('Labels that they have.', labelKeyFormat, requiredText('The value.', labelValue)),
    matchExpressions: expressions('Pods', podOperator),
  }),
  namespaces: texts('Their namespaces on the host. Empty: that of the tenant.', 'A namespace.', namespaceName),
  topologyKey: requiredText(
    'The label of nodes that says what is one place, such as a node or a zone.',
    labelKeyFormat,
  ),
})

function podAffinity(description: string) {
  return optionalObject(description, {
    requiredDuringSchedulingIgnoredDuringExecution: listField('What has to hold.', podTerm),
    preferredDuringSchedulingIgnoredDuringExecution: listField(
      'What should hold.',
      objectField('One preference.', { weight, podAffinityTerm: podTerm }),
    ),
  })
}

export const affinityField = objectField(
  'Where its Pods run, in the fields of `spec.affinity` of a Pod.',
  {
    nodeAffinity,
    podAffinity: podAffinity('Pods in whose place they run.'),
    podAntiAffinity: podAffinity('Pods in whose place they do not run.'),
  },
  { name: 'Affinity' },
)
