import type { Attributes, Decision, UserInfo } from '../../api/access.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { inWords, type ReachedObject, reachedObject } from './reached-object.ts'

/**
 * A caller of an API behind the platform must be allowed to `use` the object that represents it. The API itself decides
 * what they may do there. All other requests are authorized unchanged.
 */
export function createTargetAuthorizer(owners: Authorizer, managementGroup: string): Authorizer {
  return {
    authorize: (attributes) => {
      const object = attributes.target && reachedObject(attributes.target)
      return object === undefined ? owners.authorize(attributes) : mayUse(owners, managementGroup, attributes, object)
    },
    rulesFor: (user, namespace) => owners.rulesFor(user, namespace),
  }
}

function mayUse(
  owners: Authorizer,
  group: string,
  { user }: Attributes,
  object: ReachedObject,
): Decision | Promise<Decision> {
  const decision = owners.authorize(attributesOn(user, 'use', group, object))
  return decision instanceof Promise ? decision.then((late) => explained(late, object)) : explained(decision, object)
}

export function attributesOn(user: UserInfo, verb: string, group: string, object: ReachedObject): Attributes {
  const { resource, namespace, name } = object
  return { user, verb, group, version: 'v1', resource, subresource: '', namespace, name }
}

function explained(decision: Decision, object: ReachedObject): Decision {
  if (decision.verdict === 'allow') return decision
  const because = decision.reason === '' ? '' : `: ${decision.reason}`
  return { ...decision, reason: `not allowed to "use" the ${inWords(object)}${because}` }
}
