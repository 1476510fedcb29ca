import type { ListAnswer, ListRequestOptions, Target } from '../../registry/contract.ts'
import { listBody, listResponse } from '../encode/list.ts'
import { viewOf } from '../encode/view.ts'
import type { Response, ResponseBody } from '../http.ts'
import { plainJson } from '../request/negotiate.ts'
import { jsonHeaders } from '../responses/responses.ts'
import { type Call, namespaceTargetOf, type Verb, workOf } from './call.ts'
import { ListReadOptions } from './read-options.ts'

export const serveList: Verb = (call) => {
  const view = viewOf(call.exchange, call.resource.kind)
  const target = namespaceTargetOf(call)
  const options = new ListReadOptions(call)
  return call.resource
    .list(target, options)
    .then((answer) =>
      view.media === plainJson
        ? plainList(call, target, options, answer)
        : listResponse(call.resource.kind, answer, view, workOf(call)),
    )
}

function plainList(call: Call, target: Target, options: ListRequestOptions, answer: ListAnswer): Response {
  const body =
    answer.isPersonal === true ? listBody(call.resource.kind, answer) : rememberedBody(call, target, options, answer)
  return { status: 200, headers: jsonHeaders, body }
}

/** Equal requests for the same state get the same answer, byte for byte. */
function rememberedBody(
  call: Call,
  { namespace }: Target,
  options: ListRequestOptions,
  answer: ListAnswer,
): ResponseBody {
  const { resource, services } = call
  // Resource version 0 is answered as a whole, others in pages.
  const anyState = options.resourceVersion === '0'
  const question = `${namespace}|${anyState}|${options.limit}|${options.continue}|${options.resourceVersionMatch}|${options.labelSelector}|${options.fieldSelector}`
  return services.lists.remember(resource, question, answer.resourceVersion, () => listBody(resource.kind, answer))
}
