import { badRequest } from '../../../api/error.ts'
import { messageSchema } from '../../../api/facts/message-schema.ts'
import { typeMetaProperties } from '../../../api/metadata/kind-schema.ts'
import { objectMetaSchema } from '../../../api/metadata/schema.ts'
import type { KubeObject } from '../../../api/object.ts'
import { object } from '../../../api/schema-builder.ts'
import { objectAt, textAt } from '../../../auth/member.ts'
import { bindPod } from '../../../registry/pods/bind-pod.ts'
import type { ReviewContext, ReviewResource } from '../contract.ts'
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

/** Assigns a node to a pod, as a scheduler does. */
export function podBinding(parts: PodParts): ReviewResource {
  return {
    ...common,
    plural: 'binding',
    singular: '',
    parent: 'pods',
    review: (input, context) => {
      if (input.metadata.name !== context.name) throw badRequest('name in URL does not match name in Binding object')
      return bind(parts, context, context.name, input)
    },
  }
}

/** The same with the name of the pod in the body. */
export function namedBinding(parts: PodParts): ReviewResource {
  return {
    ...common,
    plural: 'bindings',
    singular: 'binding',
    review: (input, context) => bind(parts, context, requiredName(input), input),
  }
}

const common = { ...gvk, namespaced: true, schema, protobufMessage: 'k8s.io.api.core.v1.Binding' }

function requiredName({ metadata }: KubeObject): string {
  const { name = '' } = metadata
  if (name === '') throw badRequest('Name parameter required.')
  return name
}

const otherNamespace = 'the namespace of the provided object does not match the namespace sent on the request'

async function bind(
  { engine }: PodParts,
  context: ReviewContext,
  name: string,
  input: KubeObject,
): Promise<KubeObject> {
  const { namespace = context.namespace } = input.metadata
  if (namespace !== '' && namespace !== context.namespace) throw badRequest(otherNamespace)
  const target = objectAt(input, 'target')
  const { uid = '', resourceVersion = '', annotations = {} } = input.metadata
  const binding = {
    uid,
    resourceVersion,
    annotations,
    target: { kind: textAt(target, 'kind'), name: textAt(target, 'name') },
  }
  await bindPod(podsOf(engine), { namespace: context.namespace, name }, binding, requestOf(context, 'binding'))
  return createdStatus
}
