import { documentResponse } from '../encode/document.ts'
import { viewOf } from '../encode/view.ts'
import { namedTargetOf, type Verb } from './call.ts'
import { CallReadOptions } from './read-options.ts'

export const serveGet: Verb = (call) => {
  const { exchange, resource } = call
  const view = viewOf(exchange, resource.kind)
  const document = resource.get(namedTargetOf(call), new CallReadOptions(call))
  return document instanceof Promise
    ? document.then((late) => documentResponse(200, resource.kind, late, view))
    : documentResponse(200, resource.kind, document, view)
}
