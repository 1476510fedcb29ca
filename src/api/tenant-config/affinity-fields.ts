import type { IntegerField } from './field.ts'
import { listField, mapField, objectField, optionalObject, requiredText, texts } from './field-builder.ts'
import { labelKeyFormat, labelValue, namespaceName, nodeOperator, plainText, podOperator } from './text-format.ts'

const weight: IntegerField<'required'> = {
  type: 'integer',
  presence: 'required',
  description: 'Weight of this preference relative to the others.',
  minimum: 1,
  maximum: 100,
}

function expressions(of: string, operator: typeof nodeOperator) {
  const requirement = objectField('A requirement on one label.', {
    key: requiredText('Key of the label.', labelKeyFormat),
    operator: requiredText(`How the label is compared with the values: ${operator.expectation}.`, operator),
    values: texts('Values that the label is compared with.', 'A value.', plainText),
  })
  return listField(`Requirements on the labels of ${of}.`, requirement)
}

const nodeTerm = objectField('Nodes that meet all requirements.', {
  matchExpressions: expressions('nodes', nodeOperator),
})

const nodeAffinity = optionalObject('Rules for the nodes that the Pods run on.', {
  requiredDuringSchedulingIgnoredDuringExecution: optionalObject('Nodes that the Pods must run on.', {
    nodeSelectorTerms: listField('Terms of which a node must match at least one.', nodeTerm),
  }),
  preferredDuringSchedulingIgnoredDuringExecution: listField(
    'Nodes that the Pods preferably run on.',
    objectField('One preference.', { weight, preference: nodeTerm }),
  ),
})

const podTerm = objectField('A set of Pods, and the topology in which they count.', {
  labelSelector: objectField('Label selector for the Pods.', {
    matchLabels: mapField(
      'Labels that the Pods must have.',
      labelKeyFormat,
      requiredText('The value of the label.', labelValue),
    ),
    matchExpressions: expressions('Pods', podOperator),
  }),
  namespaces: texts(
    'Namespaces of the Pods on the host. If empty, the namespace of the tenant.',
    'A namespace.',
    namespaceName,
  ),
  topologyKey: requiredText('Node label that defines one place, such as a node or a zone.', labelKeyFormat),
})

function podAffinity(description: string) {
  return optionalObject(description, {
    requiredDuringSchedulingIgnoredDuringExecution: listField('Terms that must be met.', podTerm),
    preferredDuringSchedulingIgnoredDuringExecution: listField(
      'Terms that are met if possible.',
      objectField('One preference.', { weight, podAffinityTerm: podTerm }),
    ),
  })
}

export const affinityField = objectField(
  'Scheduling rules for the Pods of the control plane, with the fields of `spec.affinity` of a Pod.',
  {
    nodeAffinity,
    podAffinity: podAffinity('Rules for running in the same place as other Pods.'),
    podAntiAffinity: podAffinity('Rules for running in a different place from other Pods.'),
  },
  { name: 'Affinity' },
)
