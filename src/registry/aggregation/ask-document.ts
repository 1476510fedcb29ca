import { createHash } from 'node:crypto'
import type { APIService } from '../../api/types/apiregistration-v1.ts'
import { Pace, paced } from '../../base/pace.ts'
import type { ForwardAnswer } from '../../client/forward/contract.ts'
import { giveUpAnswer } from '../../client/forward/give-up.ts'
import { withDeadline } from '../../client/transport/deadline.ts'
import type { AggregatedApis } from './aggregated-apis.ts'
import type { KnownDocument } from './known-documents.ts'
import { aggregatorUser, remoteUserHeaders } from './remote-user.ts'
import { emptyV2Document, readV2Document } from './v2-document.ts'
import { wholeText } from './whole-text.ts'

/** Requests the OpenAPI 2 document of an API's server, and keeps the part about that API. Never throws. */
export type AskDocument = (object: APIService, signal: AbortSignal) => Promise<void>

const patienceMs = 10_000
/** A document covers everything that a server serves. */
const mostBytes = 1024 * 1024

/** Sends no second request to a server that has not answered the first. */
export function askingDocuments(apis: AggregatedApis): AskDocument {
  const underWay = new Set<string>()
  return async (object, signal) => {
    const { name = '' } = object.metadata
    if (underWay.has(name)) return
    underWay.add(name)
    const late = () => new Error('no answer in time')
    try {
      await withDeadline({ ms: patienceMs, late, signal }, (ending) => learn(apis, object, ending))
    } catch {
      // The known document of an unreachable server is kept until the server is back.
    } finally {
      underWay.delete(name)
    }
  }
}

async function learn(apis: AggregatedApis, object: APIService, signal: AbortSignal): Promise<void> {
  const { metadata, spec } = object
  const { name = '' } = metadata
  const known = apis.documents.of(name)
  const condition = known === undefined || known.etag === '' ? [] : ['if-none-match', known.etag]
  const headers = ['accept', 'application/json', ...condition, ...remoteUserHeaders(aggregatorUser)]
  const request = { method: 'GET', url: '/openapi/v2', headers, body: undefined, upgrade: undefined, signal }
  const answer = await apis.forward(object, request)
  if (answer.form === 'answer' && answer.status === 200) {
    const text = await wholeText(answer.body, signal, mostBytes)
    const next = await readAnswer(text, answer, object, known)
    const isThere = apis.find(spec.group ?? '', spec.version ?? '') !== undefined
    if (!isThere) apis.documents.forget(name)
    else if (next !== known) apis.documents.learn(name, next)
    return
  }
  giveUpAnswer(answer)
  if (answer.form !== 'answer' || answer.status !== 304) apis.documents.forget(name)
}

/** An answer that is not usable is remembered too: reading it again would take as long. */
async function readAnswer(
  text: string,
  { headers }: ForwardAnswer,
  { spec: { group = '', version = '' } }: APIService,
  known: KnownDocument | undefined,
): Promise<KnownDocument> {
  const digest = createHash('sha256').update(text).digest('base64')
  if (known?.digest === digest) return known
  try {
    const document = await paced(readV2Document(text, { group, version }), new Pace())
    return { document, etag: etagIn(headers), digest }
  } catch {
    return { document: emptyV2Document, etag: '', digest }
  }
}

const longestEtag = 200

function etagIn(headers: readonly string[]): string {
  const value = headers.find((_, index) => index % 2 === 1 && headers[index - 1] === 'etag') ?? ''
  return value.length <= longestEtag ? value : ''
}
