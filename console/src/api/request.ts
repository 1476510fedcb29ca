import { ConnectionProblem, problemFromBody } from './problem.ts'
import { sessionCounterpart } from './session-counterpart.ts'

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON, unless it is text. */
  readonly body?: unknown
  readonly contentType?: string
  readonly accept?: string
  readonly signal?: AbortSignal
}

export interface Answered<T> {
  readonly value: T
  /** Warnings of the platform for the caller. */
  readonly warnings: readonly string[]
}

/** Called when the platform refuses a request with 401 or 403. */
type RefusalListener = (code: number) => void
const refusalListeners = new Set<RefusalListener>()

/** Returns a function that removes the listener. */
export function whenRefused(listener: RefusalListener): () => void {
  refusalListeners.add(listener)
  return () => void refusalListeners.delete(listener)
}

/** Every API call goes through here. The browser adds its half of the session, the cookie. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = 'GET', body, contentType = 'application/json', accept = 'application/json', signal } = options
  const counterpart = sessionCounterpart()
  const init: RequestInit = {
    method,
    headers: {
      accept,
      ...(body === undefined ? {} : { 'content-type': contentType }),
      ...(counterpart === undefined ? {} : { 'tenant-session': counterpart }),
    },
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }
  const response = await fetch(path, init).catch((error: unknown) => {
    throw signal?.aborted === true ? error : new ConnectionProblem()
  })
  if (response.ok) return response
  const problem = problemFromBody(response.status, await response.text().catch(() => ''))
  if (response.status === 401 || response.status === 403)
    for (const listener of refusalListeners) listener(response.status)
  throw problem
}

export async function ask<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await answerTo<T>(path, options)).value
}

export async function answerTo<T>(path: string, options: RequestOptions = {}): Promise<Answered<T>> {
  const response = await send(path, options)
  const value: T = await response.json()
  return { value, warnings: readWarnings(response.headers.get('warning')) }
}

/** Parses `299 - "text", 299 - "text"`. */
function readWarnings(header: string | null): readonly string[] {
  return [...(header ?? '').matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map((match) =>
    (match[1] ?? '').replaceAll(/\\(.)/g, '$1'),
  )
}
