import type { UserInfo } from '../../api/access.ts'
import { asJson, asMembers, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { giveUpAnswer } from '../../client/forward/give-up.ts'
import { withDeadline } from '../../client/transport/deadline.ts'
import type { AggregatedApis } from './aggregated-apis.ts'
import type { AggregatedApi } from './contract.ts'
import { remoteUserHeaders } from './remote-user.ts'
import { wholeText } from './whole-text.ts'

/** A list request to a user's API. */
export interface ListQuestion {
  readonly group: string
  /** Acceptable versions; the first one that is served is used. */
  readonly versions: readonly string[]
  /** The path segments after the version. */
  readonly segments: readonly string[]
  /** Empty values are omitted. */
  readonly query: Readonly<Record<string, string>>
  /** The requested resource as Kubernetes clients name it: `pods.metrics.k8s.io`. */
  readonly told: string
}

export type ListReading =
  | { readonly outcome: 'answered'; readonly items: readonly unknown[] }
  | { readonly outcome: 'not served' }
  | { readonly outcome: 'failed'; readonly problem: string }

/** Rejects only if the signal aborts. */
export type ReadList = (question: ListQuestion, signal: AbortSignal) => Promise<ListReading>

const patienceMs = 5_000
/** About 8,000 Pods with one container each. */
const mostBytes = 4 * 1024 * 1024
const mostProblemCharacters = 500

/** Sends requests to servers behind APIServices on behalf of the user. */
export function readingLists(apis: Pick<AggregatedApis, 'find'>, user: UserInfo): ReadList {
  return async (question, signal) => {
    const { group, versions, told } = question
    const api = versions.map((version) => apis.find(group, version)).find((found) => found !== undefined)
    if (api === undefined) return { outcome: 'not served' }
    if (!api.isAvailable) return failed(503, told)
    const late = () => new Error(`no answer within ${patienceMs / 1000} s`)
    try {
      return await withDeadline({ ms: patienceMs, late, signal }, (ending) => asked(api, question, user, ending))
    } catch {
      signal.throwIfAborted()
      return failed(503, told)
    }
  }
}

/** Uses the first reader that serves the requested resource. */
export function firstServing(readers: readonly ReadList[]): ReadList {
  return async (question, signal) => {
    for (const read of readers) {
      const reading = await read(question, signal)
      if (reading.outcome !== 'not served') return reading
    }
    return { outcome: 'not served' }
  }
}

async function asked(
  { group, version, forward }: AggregatedApi,
  { segments, query, told }: ListQuestion,
  user: UserInfo,
  signal: AbortSignal,
): Promise<ListReading> {
  if (segments.some((segment) => ['', '.', '..'].includes(segment))) return failed(404, told)
  const path = ['apis', group, version, ...segments].map(encodeURIComponent).join('/')
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  const url = `/${path}${search === '' ? '' : `?${search}`}`
  const headers = ['accept', 'application/json', ...remoteUserHeaders(user)]
  const answer = await forward({ method: 'GET', url, headers, body: undefined, upgrade: undefined, signal })
  if (answer.form !== 'answer') {
    giveUpAnswer(answer)
    return failed(500, told)
  }
  const text = await wholeText(answer.body, signal, mostBytes)
  return readingOf(answer.status, text, told)
}

function readingOf(status: number, text: string, told: string): ListReading {
  const body = asJson(text)
  if (status < 200 || status >= 300) return failed(status, told, saidIn(body))
  if (!isJsonObject(body)) return { outcome: 'failed', problem: `the answer is not a list (get ${told})` }
  return { outcome: 'answered', items: Array.isArray(body.items) ? body.items : [] }
}

/** The message of a Status. */
function saidIn(body: unknown): string {
  const { kind, message } = asMembers(body)
  return kind === 'Status' ? asText(message) : ''
}

/** Falls back to the wording of Kubernetes clients for servers that give no message. */
function failed(status: number, told: string, said = ''): ListReading {
  if (said !== '') return { outcome: 'failed', problem: said.slice(0, mostProblemCharacters) }
  return { outcome: 'failed', problem: `${wordsFor(status)} (get ${told})` }
}

function wordsFor(status: number): string {
  switch (status) {
    case 404:
      return 'the server could not find the requested resource'
    case 503:
      return 'the server is currently unable to handle the request'
    case 500:
      return 'an error on the server ("unknown") has prevented the request from succeeding'
    default:
      return `the server responded with the status code ${status} but did not return more information`
  }
}
