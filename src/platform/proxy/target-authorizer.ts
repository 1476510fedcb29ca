import type { Attributes, Decision, UserInfo } from '../../api/access.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { type ReachedObject, reachedObject, reachedObjectText } from './reached-object.ts'

/** Whether the caller impersonates a user that the platform does not have. */
export type ImpersonatesUnknownUser = (user: UserInfo) => boolean

/**
 * A caller of an API behind the platform must be allowed to `use` the object that represents it. The API itself decides
 * what they may do there. All other requests are authorized unchanged.
 */
export function createTargetAuthorizer(
  owners: Authorizer,
  managementGroup: string,
  impersonatesUnknown: ImpersonatesUnknownUser,
): Authorizer {
  return {
    authorize: (attributes) => {
      const object = attributes.target && reachedObject(attributes.target)
      if (object === undefined) return owners.authorize(attributes)
      const explain = (decision: Decision) => explained(decision, object, attributes.user, impersonatesUnknown)
      const decision = owners.authorize(attributesOn(attributes.user, 'use', managementGroup, object))
      return decision instanceof Promise ? decision.then(explain) : explain(decision)
    },
    rulesFor: (user, namespace) => owners.rulesFor(user, namespace),
  }
}

export function attributesOn(user: UserInfo, verb: string, group: string, object: ReachedObject): Attributes {
  const { resource, namespace, name } = object
  return { user, verb, group, version: 'v1', resource, subresource: '', namespace, name }
}

function explained(
  decision: Decision,
  object: ReachedObject,
  user: UserInfo,
  impersonatesUnknown: ImpersonatesUnknownUser,
): Decision {
  if (decision.verdict === 'allow') return decision
  const reason = impersonatesUnknown(user) ? noUserText(user, object) : decision.reason
  const because = reason === '' ? '' : `: ${reason}`
  return { ...decision, reason: `not allowed to "use" the ${reachedObjectText(object)}${because}` }
}

function noUserText({ name }: UserInfo, { resource }: ReachedObject): string {
  const inside =
    resource === 'virtualclusterinstances'
      ? ', or of a service account inside (system:serviceaccount:NAMESPACE:NAME)'
      : ''
  return `the platform has no user ${JSON.stringify(name)}: impersonate (--as) with the name of a user of the platform${inside}`
}
