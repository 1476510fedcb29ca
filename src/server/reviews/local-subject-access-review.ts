import { badRequest } from '../../api/error.ts'
import { kindMessageSchema } from '../../api/facts/message-schema.ts'
import { type FieldError, invalidField } from '../../api/field-error.ts'
import type { KubeObject } from '../../api/object.ts'
import { objectAt, textAt } from '../../auth/member.ts'
import { attributesFrom, validateAttributes } from './access-attributes.ts'
import {
  answerAccessReview,
  authorizationGroup,
  reviewedUser,
  throwIfInvalid,
  validateEmptyMetadata,
  validateReviewedUser,
} from './access-review.ts'
import type { ReviewDependencies, ReviewResource } from './contract.ts'

const gvk = { group: authorizationGroup, version: 'v1', kind: 'LocalSubjectAccessReview' }
const protobufMessage = 'k8s.io.api.authorization.v1.LocalSubjectAccessReview'

/**
 * Whether another user may do something in the namespace. Lets the owner of a namespace ask without rights on the
 * cluster.
 */
export function localSubjectAccessReview({ authorizer }: Pick<ReviewDependencies, 'authorizer'>): ReviewResource {
  return {
    ...gvk,
    plural: 'localsubjectaccessreviews',
    singular: 'localsubjectaccessreview',
    namespaced: true,
    isTracked: true,
    schema: kindMessageSchema(protobufMessage),
    protobufMessage,
    review(input, { namespace }) {
      const local = inNamespace(input, namespace)
      const spec = objectAt(local, 'spec')
      throwIfInvalid([...validateAttributes(spec, validateReviewedUser(spec)), ...validateLocal(local)])
      return answerAccessReview(gvk, local, attributesFrom(spec, reviewedUser(spec)), authorizer)
    },
  }
}

function inNamespace(input: KubeObject, namespace: string): KubeObject {
  const { namespace: given = '' } = input.metadata
  if (given !== '' && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  return { ...input, metadata: { ...input.metadata, namespace } }
}

function validateLocal(input: KubeObject): readonly FieldError[] {
  const { namespace = '', ...metadata } = input.metadata
  const spec = objectAt(input, 'spec')
  const resource = objectAt(spec, 'resourceAttributes')
  const path = objectAt(spec, 'nonResourceAttributes')
  const asked = textAt(resource, 'namespace')
  return [
    ...validateEmptyMetadata(metadata, 'must be empty except for namespace'),
    ...(resource === undefined || asked === namespace
      ? []
      : [invalidField('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace')]),
    ...(path === undefined
      ? []
      : [invalidField('spec.nonResourceAttributes', path, 'disallowed on this kind of request')]),
  ]
}
