import { type RequestOptions, send } from './request.ts'

/** The answer of a virtual cluster has an unexpected shape, is too long, or does not end. */
export class UnreadableAnswer extends Error {
  constructor(problem: string) {
    super(`The virtual cluster answers something that cannot be shown: ${problem}.`)
    this.name = 'UnreadableAnswer'
  }
}

const mostBytes = 4 * 1024 * 1024
const patienceMs = 20_000

/**
 * The only way to read answers of virtual clusters and clusters: limited in size and time, and checked for the given
 * shape.
 */
export async function askTenant<T>(
  path: string,
  shape: (value: unknown) => T,
  options: TenantQuestion = {},
): Promise<T> {
  const text = await askTenantText(path, { accept: 'application/json', ...options })
  return shape(parsed(text))
}

export async function askTenantText(path: string, question: TenantQuestion = {}): Promise<string> {
  const response = await send(path, { accept: 'text/plain', ...question, signal: AbortSignal.timeout(patienceMs) })
  return textWithin(response.body, mostBytes)
}

type TenantQuestion = Pick<RequestOptions, 'accept' | 'method' | 'body'>

/** Stops reading at the limit. */
export async function textWithin(body: ReadableStream<Uint8Array> | null, most: number): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > most) throw new UnreadableAnswer(`it is longer than ${most} bytes`)
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnreadableAnswer('it is no JSON')
  }
}
