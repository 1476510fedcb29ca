import { unreachable } from '../../api/error.ts'
import type { ForwardAnswer, Forwarder } from './contract.ts'
import { giveUp, giveUpAnswer } from './give-up.ts'

/** The binding of a group to its role, and where it is created. */
export interface BindingToCreate {
  /** The URL of the collection. */
  readonly url: string
  readonly object: { readonly metadata: { readonly name: string } }
}

const patienceMs = 5_000
const maxReasonBytes = 16 * 1024

/** Resolves when the role is bound, even if another client bound it. Throws if it cannot be bound. */
export async function bindRole(forwarder: Forwarder, binding: BindingToCreate): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs)
  const answer = await create(forwarder, binding, signal)
  const status = statusOf(answer)
  if (isSuccess(status) || status === 409) {
    giveUpAnswer(answer)
    return
  }
  const reason = await reasonIn(answer)
  // A client that may not create bindings may still have been given one.
  if (status === 403 && (await exists(forwarder, binding, signal))) return
  throw unreachable(`a role could not be bound: ${reason || `the API server answered ${status}`}`)
}

function create(forwarder: Forwarder, { url, object }: BindingToCreate, signal: AbortSignal): Promise<ForwardAnswer> {
  const body = Buffer.from(JSON.stringify(object))
  const headers = ['content-type', 'application/json', 'content-length', String(body.length)]
  return forwarder.forward({ method: 'POST', url, headers, body, upgrade: undefined, signal })
}

async function exists(forwarder: Forwarder, { url, object }: BindingToCreate, signal: AbortSignal): Promise<boolean> {
  const path = `${url}/${encodeURIComponent(object.metadata.name)}`
  const answer = await forwarder.forward({
    method: 'GET',
    url: path,
    headers: [],
    body: undefined,
    upgrade: undefined,
    signal,
  })
  giveUpAnswer(answer)
  return isSuccess(statusOf(answer))
}

function statusOf(answer: ForwardAnswer): number {
  return answer.form === 'upgraded' ? 101 : answer.status
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** The message of the API server's refusal; empty if it has no known form. */
async function reasonIn(answer: ForwardAnswer): Promise<string> {
  try {
    const parsed: unknown = JSON.parse(await textOf(answer))
    return parsed !== null && typeof parsed === 'object' && 'message' in parsed ? String(parsed.message) : ''
  } catch {
    return ''
  }
}

async function textOf(answer: ForwardAnswer): Promise<string> {
  if (answer.form === 'upgraded') {
    giveUp(answer.connection)
    return ''
  }
  let text = ''
  for await (const chunk of answer.body) {
    text += chunk
    if (text.length > maxReasonBytes) break
  }
  return text
}
