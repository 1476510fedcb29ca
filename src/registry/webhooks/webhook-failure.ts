import { type ApiError, internalError } from '../../api/error.ts'
import { quoted } from '../../api/human/go-syntax.ts'

/** A webhook gave no valid answer. Its failurePolicy decides what happens to the request. */
export class WebhookFailure extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'WebhookFailure'
  }

  static toCall(reason: string): WebhookFailure {
    return new WebhookFailure(`failed to call webhook: ${reason}`)
  }

  static invalidAnswer(reason: string): WebhookFailure {
    return new WebhookFailure(`received invalid webhook response: ${reason}`)
  }
}

export function failedCalling(webhook: string, { message }: WebhookFailure): ApiError {
  return internalError(`failed calling webhook ${quoted(webhook)}: ${message}`)
}

const texts: ReadonlyMap<number, string> = new Map([
  [400, 'the server rejected our request for an unknown reason'],
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [504, 'the server was unable to return a response in the time allotted, but may still be processing the request'],
])

const longestShown = 1_000

/** The message for an unsuccessful response, in the words of Kubernetes. `said` is its body, if it is text. */
export function statusText(status: number, said: string): string {
  const shown = said.trim().slice(0, longestShown)
  if (status === 403 || status === 406 || status === 415) return shown
  const known = texts.get(status)
  if (known !== undefined) return known
  if (status >= 500) return `an error on the server (${quoted(shown)}) has prevented the request from succeeding`
  return `the server responded with the status code ${status} but did not return more information`
}
