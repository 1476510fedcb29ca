import { listResponse } from '../encode/list.ts'
import { viewOf } from '../encode/view.ts'
import { listOptions } from '../options/list-options.ts'
import { targetOf, type Verb } from './call.ts'

export const listObjects: Verb = (call) => {
  const { exchange, info, resource } = call
  const view = viewOf(exchange)
  const options = {
    ...listOptions(info),
    get signal() {
      return exchange.request.signal
    },
  }
  return resource.list(targetOf(call), options).then((answer) => listResponse(resource.kind, answer, view))
}
