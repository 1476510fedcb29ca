import { parseBody } from '../../api/decode/body.ts'
import { bodyFormat } from '../bodies/body.ts'
import { documentResponse } from '../encode/document.ts'
import { viewOf } from '../encode/view.ts'
import { updateOptions } from '../options/write-options.ts'
import { namedTargetOf, type Verb, writeRequestOf } from './call.ts'

export const serveUpdate: Verb = async (call) => {
  const { exchange, info, resource } = call
  const view = viewOf(exchange, resource.kind)
  const format = bodyFormat(exchange)
  const options = updateOptions(info.query)
  const body = parseBody(exchange.body, format, resource.kind, exchange.reading)
  const { document, created } = await resource.update(namedTargetOf(call), body, writeRequestOf(call, options))
  return documentResponse(created ? 201 : 200, resource.kind, document, view)
}
