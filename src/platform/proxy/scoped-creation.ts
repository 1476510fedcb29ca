import { builtinKinds } from '../../api/builtin-kinds.ts'
import { forbiddenFor } from '../../api/forbidden.ts'
import { contentTypeOf } from '../../server/body.ts'
import { attributesOf, type Exchange } from '../../server/exchange.ts'
import type { ResourceInfo } from '../../server/request-info.ts'
import { applyPatch } from './lasting-request.ts'
import type { Pass } from './self-reviews.ts'

/**
 * An apply makes what is not there, and so does a PUT of some kinds. An API behind the platform asks for the right to create
 * in that case, but it asks about the owner of the key: the scope has to grant it here, whether the object is there or not.
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
  if (scope === undefined || info.form === 'path' || !mayCreate(info, contentTypeOf(exchange))) return
  const attributes = attributesOf({ ...info, verb: 'create' }, user, onward)
  const verdict = scope.grant(attributes)
  if (!verdict.granted) throw forbiddenFor(attributes, { verdict: 'deny', reason: verdict.reason, layer: 'scope' })
}

function mayCreate({ verb, group, resource, subresource }: ResourceInfo, contentType: string): boolean {
  if (subresource !== '') return false
  if (verb === 'patch') return contentType === applyPatch
  return verb === 'update' && madeByPut.has(`${group}/${resource}`)
}

const madeByPut: ReadonlySet<string> = new Set(
  builtinKinds()
    .filter(({ allowsCreateOnUpdate }) => allowsCreateOnUpdate)
    .map(({ group, plural }) => `${group}/${plural}`),
)
