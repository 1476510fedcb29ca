import { badRequest } from '../../api/error.ts'
import { documentResponse } from '../encode/document.ts'
import { viewOf } from '../encode/view.ts'
import { goBoolean } from '../request/go-values.ts'
import { type Call, namedTargetOf, type Verb } from './call.ts'
import { CallReadOptions } from './read-options.ts'

export const serveGet: Verb = (call) => {
  const { exchange, resource } = call
  const view = viewOf(exchange, resource.kind)
  refuseExport(call)
  const document = resource.get(namedTargetOf(call), new CallReadOptions(call))
  return document instanceof Promise
    ? document.then((late) => documentResponse(200, resource.kind, late, view))
    : documentResponse(200, resource.kind, document, view)
}

/** Clients that still send it expect an object without what its cluster added. */
function refuseExport({ info }: Call): void {
  if (goBoolean(info.query.get('export')))
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported')
}
