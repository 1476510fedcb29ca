import { badRequest } from '../../../api/error.ts'
import { messageSchema } from '../../../api/facts/message-schema.ts'
import { typeMetaProperties } from '../../../api/metadata/kind-schema.ts'
import { objectMetaSchema } from '../../../api/metadata/schema.ts'
import { object } from '../../../api/schema-builder.ts'
import { evictPod } from '../../../registry/pods/evict-pod.ts'
import { parseDeleteOptions } from '../../options/delete-options.ts'
import type { ReviewResource } from '../contract.ts'
import { createdStatus, type PodParts, podsOf, requestOf } from './pod-request.ts'

const gvk = { group: 'policy', version: 'v1', kind: 'Eviction' }

const schema = object(
  'A pod that is to go, if its budget for disruptions allows it.',
  {
    ...typeMetaProperties,
    metadata: objectMetaSchema,
    deleteOptions: messageSchema('k8s.io.apimachinery.pkg.apis.meta.v1.DeleteOptions'),
  },
  { name: 'io.k8s.api.policy.v1.Eviction' },
)

/** Deletes a pod unless too many pods would be unavailable. */
export function podEviction({ engine }: PodParts): ReviewResource {
  return {
    ...gvk,
    olderVersions: ['policy/v1beta1'],
    plural: 'eviction',
    singular: '',
    namespaced: true,
    parent: 'pods',
    schema,
    protobufMessage: 'k8s.io.api.policy.v1.Eviction',
    review: async (input, context) => {
      const { name = '', namespace = '' } = input.metadata
      if (namespace !== '' && namespace !== context.namespace) {
        throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
      }
      if (name !== context.name) throw badRequest('name in URL does not match name in Eviction object')
      const options = parseDeleteOptions(input.deleteOptions ?? {})
      const request = { ...requestOf(context, 'eviction'), dryRun: context.dryRun || options.dryRun }
      await evictPod(podsOf(engine), context, options, request)
      return createdStatus
    },
  }
}
