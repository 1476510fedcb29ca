import { badRequest, invalid, notFound } from '../../api/error.ts'
import { kindMessageSchema } from '../../api/facts/message-schema.ts'
import { type FieldError, invalidField } from '../../api/field-error.ts'
import type { KubeObject } from '../../api/object.ts'
import { numberAt, objectAt, textsAt } from '../../auth/member.ts'
import { timestamp } from '../../base/clock.ts'
import { answered } from './answer.ts'
import { boundObjects } from './bound-object.ts'
import type { ReviewContext, ReviewDependencies, ReviewResource } from './contract.ts'

const gvk = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }
const protobufMessage = 'k8s.io.api.authentication.v1.TokenRequest'

const defaultExpirationSeconds = 3_600
const minExpirationSeconds = 600
const maxExpirationSeconds = 2 ** 32

type Dependencies = Pick<ReviewDependencies, 'clock' | 'issueToken' | 'findObject' | 'serverAudiences'>

/** Issues a token for a service account. */
export function tokenRequest(dependencies: Dependencies): ReviewResource {
  return {
    ...gvk,
    plural: 'token',
    singular: '',
    namespaced: true,
    isTracked: true,
    defaults: withExpiration,
    parent: 'serviceaccounts',
    schema: kindMessageSchema(protobufMessage),
    protobufMessage,
    review: (input, context) => issue(dependencies, input, context),
  }
}

async function issue(dependencies: Dependencies, input: KubeObject, context: ReviewContext): Promise<KubeObject> {
  const { namespace, name } = context
  throwIfInvalid(name, validatePlace(input, context))
  const account = await dependencies.findObject('ServiceAccount', namespace, name)
  if (account === undefined) throw notFound({ plural: 'serviceaccounts', group: '' }, name)
  const { audiences, expirationSeconds, boundObjectRef } = specOf(input, dependencies.serverAudiences)
  throwIfInvalid('', validateExpiration(expirationSeconds))
  const boundTo = await boundObjects(boundObjectRef, account, dependencies.findObject)
  const createdAt = timestamp(dependencies.clock.now())
  const { token, expiresAtMs } = await dependencies.issueToken({
    namespace,
    serviceAccount: { name, uid: account.metadata.uid ?? '' },
    audiences,
    expirationSeconds,
    boundTo,
  })
  return answered(gvk, {
    metadata: { ...input.metadata, name, namespace, creationTimestamp: createdAt },
    spec: { audiences, expirationSeconds, boundObjectRef: boundObjectRef ?? null },
    status: { token, expirationTimestamp: timestamp(expiresAtMs) },
  })
}

function withExpiration(input: KubeObject): KubeObject {
  const spec = objectAt(input, 'spec')
  if (numberAt(spec, 'expirationSeconds') !== undefined) return input
  const withDefault = { ...spec, expirationSeconds: defaultExpirationSeconds }
  return { ...input, spec: withDefault }
}

function specOf(input: KubeObject, serverAudiences: readonly string[]) {
  const spec = objectAt(input, 'spec')
  const audiences = textsAt(spec, 'audiences')
  return {
    audiences: audiences.length === 0 ? serverAudiences : audiences,
    expirationSeconds: numberAt(spec, 'expirationSeconds') ?? defaultExpirationSeconds,
    boundObjectRef: objectAt(spec, 'boundObjectRef'),
  }
}

function validatePlace({ metadata }: KubeObject, { namespace, name }: ReviewContext): readonly FieldError[] {
  const { name: givenName = '', namespace: givenNamespace = '' } = metadata
  if (givenNamespace !== '' && givenNamespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
  if (givenName !== '' && givenName !== name) {
    return [invalidField('metadata.name', givenName, 'must match the service account name if specified')]
  }
  return []
}

function validateExpiration(seconds: number): readonly FieldError[] {
  const field = 'spec.expirationSeconds'
  if (seconds < minExpirationSeconds) {
    return [invalidField(field, seconds, 'may not specify a duration less than 10 minutes')]
  }
  if (seconds > maxExpirationSeconds) {
    return [invalidField(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
  }
  return []
}

function throwIfInvalid(name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(gvk, name, errors)
}
