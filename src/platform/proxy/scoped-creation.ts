import { forbiddenFor } from '../../api/forbidden.ts'
import { attributesOf, type Exchange } from '../../server/exchange.ts'
import { mayCreate } from '../../server/may-create.ts'
import type { Pass } from './self-reviews.ts'

/**
 * An API behind the platform asks for the right to create when a change makes an object, but it asks about the owner of the
 * key: the scope has to grant it here, whether the object is there or not.
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
