import { documentResponse } from '../encode/document.ts'
import { viewOf } from '../encode/view.ts'
import { namedTargetOf, type Verb } from './call.ts'
import { ReadOptions } from './read-options.ts'

export const getObject: Verb = (call) => {
  const { exchange, resource } = call
  const view = viewOf(exchange)
  return resource
    .get(namedTargetOf(call), new ReadOptions(call))
    .then((document) => documentResponse(200, resource.kind, document, view))
}
