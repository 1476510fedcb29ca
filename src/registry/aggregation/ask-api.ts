import type { APIService } from '../../api/types/apiregistration-v1.ts'
import { errorText } from '../../base/error-text.ts'
import { withoutAddress } from '../../client/connection/connection-failure.ts'
import { giveUpAnswer } from '../../client/forward/give-up.ts'
import { withDeadline } from '../../client/transport/deadline.ts'
import type { AggregatedApis } from './aggregated-apis.ts'
import { askingDocuments } from './ask-document.ts'
import { aggregatorUser, remoteUserHeaders } from './remote-user.ts'
import { readResourceList } from './resource-list.ts'
import { wholeText } from './whole-text.ts'

/** Asks the server of an API which resources it serves. */
export type AskApi = (object: APIService, signal: AbortSignal) => Promise<ApiAnswer>

export type ApiAnswer = { readonly outcome: 'answered' } | { readonly outcome: 'failed'; readonly problem: string }

const patienceMs = 5_000
const mostBytes = 512 * 1024

/** Keeps the answer for discovery. The OpenAPI 2 document is requested too, without waiting for it. */
export function askingApis(apis: AggregatedApis): AskApi {
  const askDocument = askingDocuments(apis)
  return async (object, signal) => {
    const { group = '', version = '', service } = object.spec
    const path = `/apis/${group}/${version}`
    const shown = `https://${service?.name}.${service?.namespace}.svc:${service?.port ?? 443}${path}`
    const late = () => new Error(`no answer within ${patienceMs / 1000} s`)
    try {
      const text = await withDeadline({ ms: patienceMs, late, signal }, (ending) =>
        discovery(apis, object, path, ending),
      )
      apis.learn(object.metadata.name ?? '', readResourceList(text))
      void askDocument(object, signal)
      return { outcome: 'answered' }
    } catch (error) {
      signal.throwIfAborted()
      return { outcome: 'failed', problem: `failing or missing response from ${shown}: ${reasonOf(error)}` }
    }
  }
}

async function discovery(apis: AggregatedApis, object: APIService, url: string, signal: AbortSignal): Promise<string> {
  const headers = ['accept', 'application/json', ...remoteUserHeaders(aggregatorUser)]
  const request = { method: 'GET', url, headers, body: undefined, upgrade: undefined, signal }
  const answer = await apis.forward(object, request).catch((error) => {
    signal.throwIfAborted()
    throw error
  })
  if (answer.form === 'answer' && answer.status >= 200 && answer.status < 300)
    return wholeText(answer.body, signal, mostBytes)
  giveUpAnswer(answer)
  throw new Error(`bad status: ${answer.form === 'answer' ? answer.status : 101}`)
}

/** Leaves out the address: users need not know where a Service is. */
export function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'the answer is not JSON'
  const text = errorText(error)
  const plain = withoutAddress(text).replace(/(does not match certificate's altnames).*$/s, '$1')
  return plain.slice(0, 500)
}
