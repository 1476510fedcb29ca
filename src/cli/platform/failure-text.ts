import { ApiError } from '../../api/error.ts'
import { projectOfNamespace } from '../../auth/scope/request.ts'
import { timestamp } from '../../base/clock.ts'
import { visible } from '../../base/unseen.ts'
import { ConnectionError, UntrustedCertificate } from '../../client/connection/connection-error.ts'
import { proxyFor } from '../../client/connection/proxy-environment.ts'
import { ServerRefusal } from '../../client/server-refusal.ts'
import { reworded } from '../output/reworded.ts'
import { clockSkewText } from './clock-skew.ts'
import { remedyFor } from './key-refusal-text.ts'

/** What is known besides the failure itself. */
export interface FailureContext {
  readonly url: string
  readonly nowMs: number
  /** The server's clock, if it was reported. */
  readonly serverNowMs: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Turns a connection failure or a refusal into an error for people. Whatever a server returns, the key is not shown. */
export function explained(error: unknown, context: FailureContext, accessKey: string): unknown {
  return reworded(error, (each) => {
    const text = failureText(each, context, accessKey !== '')
    return accessKey === '' ? text : text?.replaceAll(accessKey, '[hidden]')
  })
}

/** A failure in words that say what to do; undefined for a defect of our own. */
function failureText(error: unknown, context: FailureContext, isWithKey: boolean): string | undefined {
  if (error instanceof ServerRefusal && error.origin !== context.url) return undefined
  if (error instanceof ApiError && error.code === 401 && !isWithKey) return visible(error.message)
  if (error instanceof ApiError) return lines(refusalText(error, context.url), ...refusalHints(error, context))
  if (error instanceof UntrustedCertificate) return lines(untrustedText(error), ...certificateHints(error, context))
  if (error instanceof ConnectionError) return lines(visible(error.message), ...networkHints(context))
  return undefined
}

function lines(...parts: readonly string[]): string {
  return parts.join('\n')
}

function refusalText({ code, status, message }: ApiError, url: string): string {
  const unknown = code === 404 ? unknownText(status.details) : undefined
  if (unknown !== undefined) return visible(unknown)
  if (code !== 401) return visible(message)
  const cause = status.details?.causes?.[0]?.reason ?? ''
  return `${url} refused the access key: ${visible(message)}${cause === '' ? '' : ` (${visible(cause)})`}`
}

/** Users of commands need not know the kinds of the platform, nor that a project is a namespace of it. */
export function unknownText({ kind, name = '' }: ApiError['status']['details'] = {}): string | undefined {
  if (kind === 'ownedaccesskeys') return `there is no access key ${name}; see: tenant platform keys list`
  const project = kind === 'namespaces' ? projectOfNamespace(name) : undefined
  return project === undefined ? undefined : `there is no project ${project}`
}

function refusalHints({ code, status }: ApiError, context: FailureContext): readonly string[] {
  if (code === 429) return [`Try again in ${status.details?.retryAfterSeconds ?? 1} s.`]
  if (code !== 401) return []
  const cause = status.details?.causes?.[0]?.reason ?? ''
  const again = `log in again: tenant platform login ${context.url}`
  // No period: the text ends in a command that people copy.
  return [capitalized(remedyFor(cause, again)), ...(cause === 'KeyExpired' ? skewHints(context) : [])]
}

function skewHints({ nowMs, serverNowMs }: FailureContext): readonly string[] {
  const skew = serverNowMs === undefined ? undefined : clockSkewText(nowMs, serverNowMs)
  return skew === undefined ? [] : [`${capitalized(skew)}.`]
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** What the certificate lacks, and how to continue if it is the right one. */
function untrustedText({ message, certificate, distrust }: UntrustedCertificate): string {
  const flag = `--trust-fingerprint ${certificate.fingerprint}`
  if (distrust.reason === 'changed') {
    return lines(
      message,
      'The connection may be intercepted; nothing was sent. If the platform has a new certificate, compare the',
      `fingerprint with one from its administrator and log in again with ${flag}`,
    )
  }
  return lines(
    message,
    'Log in with --ca FILE, the authority of the platform, or, after comparing the fingerprint with one from its',
    `administrator, with ${flag}`,
  )
}

function certificateHints({ distrust }: UntrustedCertificate, { nowMs }: FailureContext): readonly string[] {
  if (distrust.reason !== 'not-vouched-for') return []
  const isAboutTime = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'].includes(distrust.problem)
  return isAboutTime ? [`The clock of this machine says ${timestamp(nowMs)}; is it right?`] : []
}

/** People forget the settings in their environment. */
function networkHints({ env, url }: FailureContext): readonly string[] {
  const proxy = proxyFor(new URL(url), env)
  if (proxy === undefined) return []
  return [`The environment names the proxy ${proxy.host} for it; NO_PROXY names hosts that are reached without one.`]
}
