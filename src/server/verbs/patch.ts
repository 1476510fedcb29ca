import { parsePatchBody } from '../../api/decode/body.ts'
import { ApiError, unsupportedMediaType } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { PatchRequest } from '../../registry/contract.ts'
import { contentTypeOf } from '../bodies/body.ts'
import { documentResponse } from '../encode/document.ts'
import { viewOf } from '../encode/view.ts'
import type { Exchange } from '../exchange.ts'
import { patchOptions } from '../options/write-options.ts'
import { type Call, namedTargetOf, type Verb, writeRequestOf } from './call.ts'
import { CallReadOptions } from './read-options.ts'

const jsonPatch = 'application/json-patch+json'
const mergePatch = 'application/merge-patch+json'
const strategicPatch = 'application/strategic-merge-patch+json'
export const applyPatch = 'application/apply-patch+yaml'

export const servePatch: Verb = async (call) => {
  const { exchange, info, resource } = call
  const type = patchType(contentTypeOf(exchange), resource.kind)
  const view = viewOf(exchange, resource.kind)
  const options = patchOptions(info.query, type === 'apply')
  const patch = await readPatch(call, type, options.force, resource.kind)
  const { document, created } = await resource.patch(namedTargetOf(call), patch, writeRequestOf(call, options))
  return documentResponse(created ? 201 : 200, resource.kind, document, view)
}

export function patchType(contentType: string, kind: Kind): PatchRequest['type'] {
  switch (contentType) {
    case jsonPatch:
      return 'json'
    case mergePatch:
      return 'merge'
    case applyPatch:
      return 'apply'
    case strategicPatch:
      if (kind.flavor === 'builtin') return 'strategic'
      break
  }
  throw kind.flavor === 'custom'
    ? unsupportedMediaType([jsonPatch, mergePatch, applyPatch])
    : bareUnsupportedMediaType()
}

/** A patch that cannot be read is refused only if there is an object to change; an apply needs none. */
export async function readPatch(
  call: Call,
  type: PatchRequest['type'],
  force: boolean,
  kind?: Kind,
): Promise<PatchRequest> {
  try {
    return parsePatch(type, call.exchange, force, kind)
  } catch (error) {
    if (type !== 'apply') await call.resource.get(namedTargetOf(call), new CallReadOptions(call))
    throw error
  }
}

function parsePatch(
  type: PatchRequest['type'],
  { body: bytes, reading }: Pick<Exchange, 'body' | 'reading'>,
  force: boolean,
  kind: Kind | undefined,
): PatchRequest {
  const body = parsePatchBody(bytes, type, reading, kind)
  return type === 'apply' ? { type, body, force } : { type, body }
}

/** Built-in kinds refuse a content type before they look at the kind, with a shorter message. */
function bareUnsupportedMediaType(): ApiError {
  return new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: '415: Unsupported Media Type',
    reason: 'UnsupportedMediaType',
    details: {},
    code: 415,
  })
}
