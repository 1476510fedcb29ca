import { type RequestOptions, send } from './request.ts'

/** What a virtual cluster answered is of another shape than the console asked for, too long, or does not end. */
export class UnreadableAnswer extends Error {
  constructor(problem: string) {
    super(`The virtual cluster answers something that cannot be shown: ${problem}.`)
    this.name = 'UnreadableAnswer'
  }
}

const mostBytes = 4 * 1024 * 1024
const patienceMs = 20_000

/** The door for everything that virtual clusters and clusters say: bounded in size and time, and of the shape that is told. */
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

/** Stops reading when it is too much. */
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
