import { documentResponse } from '../encode/document.ts'
import { viewOf } from '../encode/view.ts'
import { namedTargetOf, type Verb } from './call.ts'

export const getObject: Verb = (call) => {
  const { exchange, info, resource } = call
  const view = viewOf(exchange)
  const options = {
    resourceVersion: info.query.get('resourceVersion') ?? '',
    get signal() {
      return exchange.request.signal
    },
  }
  return resource
    .get(namedTargetOf(call), options)
    .then((document) => documentResponse(200, resource.kind, document, view))
}
