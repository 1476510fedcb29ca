import { parseBody } from '../../api/decode/body.ts'
import { bodyFormat } from '../bodies/body.ts'
import { documentResponse } from '../encode/document.ts'
import { viewOf } from '../encode/view.ts'
import { createOptions } from '../options/write-options.ts'
import { namespaceTargetOf, type Verb, writeRequestOf } from './call.ts'

export const serveCreate: Verb = async (call) => {
  const { exchange, info, resource } = call
  const view = viewOf(exchange, resource.kind)
  const format = bodyFormat(exchange)
  const options = createOptions(info.query)
  const body = parseBody(exchange.body, format, resource.kind, exchange.reading)
  const { document } = await resource.create(namespaceTargetOf(call), body, writeRequestOf(call, options))
  return documentResponse(201, resource.kind, document, view)
}
