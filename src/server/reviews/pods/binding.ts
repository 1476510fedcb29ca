import { messageSchema } from '../../../api/facts/message-schema.ts'
import { typeMetaProperties } from '../../../api/metadata/kind-schema.ts'
import { objectMetaSchema } from '../../../api/metadata/schema.ts'
import { object } from '../../../api/schema-builder.ts'
import { objectAt, textAt } from '../../../auth/member.ts'
import { bindPod } from '../../../registry/pods/bind-pod.ts'
import type { ReviewResource } from '../contract.ts'
import { createdStatus, type PodParts, podsOf, requestOf } from './pod-request.ts'

const gvk = { group: '', version: 'v1', kind: 'Binding' }

const schema = object(
  'Which node a pod goes to.',
  {
    ...typeMetaProperties,
    metadata: objectMetaSchema,
    target: messageSchema('k8s.io.api.core.v1.ObjectReference'),
  },
  { name: 'io.k8s.api.core.v1.Binding' },
)

/** How a scheduler gives a pod its node. */
export function podBinding({ engine }: PodParts): ReviewResource {
  return {
    ...gvk,
    plural: 'binding',
    singular: '',
    namespaced: true,
    parent: 'pods',
    schema,
    protobufMessage: 'k8s.io.api.core.v1.Binding',
    review: async (input, context) => {
      const target = objectAt(input, 'target')
      const { uid = '', annotations = {} } = input.metadata
      const binding = { uid, annotations, target: { kind: textAt(target, 'kind'), name: textAt(target, 'name') } }
      await bindPod(podsOf(engine), context, binding, requestOf(context, 'binding'))
      return createdStatus
    },
  }
}
