import { scaleKind } from '../../api/autoscaling/scale.ts'
import { parseBody } from '../../api/decode/body.ts'
import { unstoredDocument } from '../../registry/document.ts'
import { getScale, patchScale, updateScale } from '../../registry/verbs/scale.ts'
import { bodyFormat, contentTypeOf } from '../bodies/body.ts'
import { documentResponse } from '../encode/document.ts'
import { valueResponse } from '../encode/value.ts'
import { viewOf } from '../encode/view.ts'
import { patchOptions, updateOptions } from '../options/write-options.ts'
import { negotiateListed, negotiatePlain } from '../request/negotiate.ts'
import { type Call, namedTargetOf, type Verb, writeRequestOf } from './call.ts'
import { patchType, readPatch } from './patch.ts'
import { CallReadOptions } from './read-options.ts'

export const readScale: Verb = async (call) => {
  const { exchange, resource } = call
  const view = resource.kind.flavor === 'builtin' ? viewOf(exchange, scaleKind) : undefined
  const media = view?.media ?? negotiatePlain(exchange)
  const scale = await getScale(resource, namedTargetOf(call), new CallReadOptions(call))
  if (view === undefined || media.as === '') return valueResponse(200, scale, media)
  const { resourceVersion = '' } = scale.metadata
  return documentResponse(200, scaleKind, { ...unstoredDocument(scale), resourceVersion }, view)
}

export const replaceScale: Verb = async (call) => {
  const { exchange, info, resource } = call
  const media = mediaOf(call)
  const format = bodyFormat(exchange)
  const options = updateOptions(info.query)
  const body = parseBody(exchange.body, format, scaleKind, exchange.reading)
  const scale = await updateScale(resource, namedTargetOf(call), body, writeRequestOf(call, options))
  return valueResponse(200, scale, media)
}

export const changeScale: Verb = async (call) => {
  const { exchange, info, resource } = call
  const type = patchType(contentTypeOf(exchange), scaleKind)
  const media = mediaOf(call)
  const options = patchOptions(info.query, type === 'apply')
  const patch = await readPatch(call, type, options.force)
  const scale = await patchScale(resource, namedTargetOf(call), patch, writeRequestOf(call, options))
  return valueResponse(200, scale, media)
}

function mediaOf({ exchange, resource }: Call) {
  return resource.kind.flavor === 'builtin' ? negotiateListed(exchange) : negotiatePlain(exchange)
}
