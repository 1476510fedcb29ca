import { forbiddenFor } from '../../api/forbidden.ts'
import { attributesOf, type Exchange } from '../../server/exchange.ts'
import { mayCreate } from '../../server/may-create.ts'
import type { Pass } from './self-reviews.ts'

/**
 * When a change creates an object, an API behind the platform checks the right to create, but for the owner of the key.
 * The scope must grant it here, whether the object exists or not.
 */
export function scopedCreation(pass: Pass): Pass {
  return (exchange, onward, sent) => {
    requireCreateInScope(exchange)
    return pass(exchange, onward, sent)
  }
}

function requireCreateInScope(exchange: Exchange): void {
  const { info, user, onward } = exchange
  const scope = user.credential?.scope
  if (scope === undefined || !mayCreate(exchange)) return
  const attributes = attributesOf({ ...info, verb: 'create' }, user, onward)
  const verdict = scope.grant(attributes)
  if (!verdict.granted) throw forbiddenFor(attributes, { verdict: 'deny', reason: verdict.reason, layer: 'scope' })
}
