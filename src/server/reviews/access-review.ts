import type { Attributes, Decision, UserInfo } from '../../api/access.ts'
import { invalid } from '../../api/error.ts'
import { type FieldError, invalidField } from '../../api/field-error.ts'
import type { GroupVersionKind, KubeObject, ObjectMeta } from '../../api/object.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { objectAt, textAt, textsAt, type UnknownMembers } from '../../auth/member.ts'
import { unreadSelectors } from './access-attributes.ts'
import { answered } from './answer.ts'

export const authorizationGroup = 'authorization.k8s.io'

/** Asks the authorizer and completes the review that was sent. */
export async function answerAccessReview(
  gvk: GroupVersionKind,
  input: KubeObject,
  attributes: Attributes,
  authorizer: Authorizer,
): Promise<KubeObject> {
  const decision = await authorizer.authorize(attributes)
  const spec = objectAt(input, 'spec') ?? {}
  const evaluationError = unreadSelectors(spec)
  const status = { ...statusOf(decision), ...(evaluationError !== '' && { evaluationError }) }
  return answered(gvk, { metadata: input.metadata, spec, status })
}

/** The user that a SubjectAccessReview asks about. No groups are added. */
export function reviewedUser(spec: UnknownMembers | undefined): UserInfo {
  const extra = objectAt(spec, 'extra')
  const uid = textAt(spec, 'uid')
  return {
    name: textAt(spec, 'user'),
    ...(uid === '' ? {} : { uid }),
    groups: textsAt(spec, 'groups'),
    ...(extra === undefined ? {} : { extra: extraValues(extra) }),
  }
}

export function validateReviewedUser(spec: UnknownMembers | undefined): readonly FieldError[] {
  if (textAt(spec, 'user') !== '' || textsAt(spec, 'groups').length > 0) return []
  return [invalidField('spec.user', '', 'at least one of user or group must be specified')]
}

/** A namespace in the body of a cluster-scoped review is ignored. */
export function clusterScoped(input: KubeObject): KubeObject {
  const { namespace, ...metadata } = input.metadata
  return namespace === undefined ? input : { ...input, metadata }
}

/** A review cannot be referred to, so it has no metadata. */
export function validateEmptyMetadata(metadata: ObjectMeta, problem = 'must be empty'): readonly FieldError[] {
  const { managedFields, creationTimestamp, ...rest } = metadata
  const isEmpty = Object.keys(rest).length === 0 && (creationTimestamp ?? null) === null
  return isEmpty ? [] : [invalidField('metadata', rest, problem)]
}

/** The message names no kind, because kube-apiserver no longer knows it at this point. */
export function throwIfInvalid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: authorizationGroup, kind: '' }, '', errors)
}

function statusOf({ verdict, reason }: Decision): Readonly<Record<string, unknown>> {
  return {
    allowed: verdict === 'allow',
    ...(verdict === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
  }
}

function extraValues(extra: UnknownMembers): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.keys(extra).map((key) => [key, textsAt(extra, key)]))
}
