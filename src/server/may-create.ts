import { coreKinds } from '../api/core/kinds.ts'
import { contentTypeOf } from './bodies/body.ts'
import type { Exchange } from './exchange.ts'
import { applyPatch } from './verbs/patch.ts'

/**
 * Whether a request to change an object creates it if it does not exist: an apply does, and so does a PUT for some
 * kinds.
 */
export function mayCreate(exchange: Exchange): boolean {
  const { info } = exchange
  if (info.form === 'path' || info.subresource !== '') return false
  if (info.verb === 'patch') return isApply(contentTypeOf(exchange))
  return info.verb === 'update' && madeByPut.has(`${info.group}/${info.resource}`)
}

/** Other API servers accept an apply in other formats, such as `application/apply-patch+cbor`. */
const anyApply = applyPatch.slice(0, applyPatch.indexOf('+') + 1)

function isApply(contentType: string): boolean {
  return contentType.startsWith(anyApply)
}

const madeByPut: ReadonlySet<string> = new Set(
  coreKinds()
    .filter(({ allowsCreateOnUpdate }) => allowsCreateOnUpdate)
    .map(({ group, plural }) => `${group}/${plural}`),
)
