import type { Attributes, Decision } from '../../api/access.ts'
import type { Authorizer } from '../contract.ts'

/**
 * What a key may do is what its owner may do, cut down to its scope. The scope is asked first and can only refuse: nothing
 * that comes after can widen it.
 */
export function createScopedAuthorizer(owner: Authorizer, rulesFor: Authorizer['rulesFor']): Authorizer {
  return {
    authorize: (attributes) => scopeRefusal(attributes) ?? owner.authorize(attributes),
    rulesFor,
  }
}

/** The refusal of the scope of the key that the request came with; undefined when it has nothing against it. */
export function scopeRefusal(attributes: Attributes): Decision | undefined {
  const verdict = attributes.user.credential?.scope?.grant(attributes)
  return verdict === undefined || verdict.granted ? undefined : { verdict: 'deny', reason: verdict.reason }
}
