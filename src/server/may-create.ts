import { coreKinds } from '../api/core/kinds.ts'
import { contentTypeOf } from './body.ts'
import type { Exchange } from './exchange.ts'
import { applyPatch } from './verbs/patch.ts'

/**
 * Whether a request to change an object creates it if it does not exist: an apply does, and so does a PUT for some
 * kinds.
 */
export function mayCreate(exchange: Exchange): boolean {
  const { info } = exchange
  if (info.form === 'path' || info.subresource !== '') return false
  if (info.verb === 'patch') return contentTypeOf(exchange) === applyPatch
  return info.verb === 'update' && madeByPut.has(`${info.group}/${info.resource}`)
}

const madeByPut: ReadonlySet<string> = new Set(
  coreKinds()
    .filter(({ allowsCreateOnUpdate }) => allowsCreateOnUpdate)
    .map(({ group, plural }) => `${group}/${plural}`),
)
