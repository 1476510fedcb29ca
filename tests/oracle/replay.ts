import { call, parsedLines, pythonJson, type RawAnswer } from '../support/network/call.ts'
import { normalizer } from './normalize.ts'

/** One recorded request. `${name}` in texts stands for a value saved from an earlier answer. */
export interface Step {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly prio?: string
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly repeat?: readonly [unknown, number]
  readonly pad?: number
  readonly sleep?: number
  readonly timeout?: number
  /** How many lines of a watch to read. */
  readonly watch?: number
  readonly save?: Readonly<Record<string, string>>
  readonly pick?: string
}

export interface Answer {
  readonly id: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly auditId: boolean
  readonly body: unknown
}

const tokens: Readonly<Record<string, string | undefined>> = {
  admin: 'admin-token',
  alice: 'alice-token',
  bad: 'wrong-token',
}

const comparedHeaders = [
  'content-type',
  'warning',
  'retry-after',
  'location',
  'etag',
  'vary',
  'cache-control',
  'x-content-type-options',
  'www-authenticate',
]

/** Sends steps in order; later ones use the values that earlier ones save. */
export function replayer(port: number): (step: Step) => Promise<Answer> {
  const saved = new Map<string, string>()
  const normalize = normalizer()
  const filledIn = (text: string): string => text.replace(/\$\{(\w+)\}/g, (_, name: string) => saved.get(name) ?? '')

  return async (step) => {
    await new Promise((resolve) => setTimeout(resolve, (step.sleep ?? 0) * 1000))
    const { status, headers, text } = await send(port, step, filledIn)
    const body = parsed(step, status, text)
    for (const [name, path] of Object.entries(step.save ?? {})) saved.set(name, String(at(body, path)))
    return {
      id: step.id,
      status,
      headers: shownHeaders(headers),
      auditId: headers['audit-id'] !== undefined,
      body: normalize(step.pick === undefined ? body : at(body, step.pick)),
    }
  }
}

async function send(port: number, step: Step, filledIn: (text: string) => string): Promise<Received> {
  const token = tokens[step.as ?? 'admin']
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  for (const [name, value] of Object.entries(step.headers ?? {})) headers[name] = filledIn(value)
  const path = filledIn(step.path).replaceAll(' ', '%20')
  const { method, watch: lines } = step
  const answer = await call(port, { method, path, headers, body: bodyOf(step, filledIn), lines })
  return { ...answer, text: await answer.text }
}

type Received = Omit<RawAnswer, 'text'> & { readonly text: string }

function bodyOf(step: Step, filledIn: (text: string) => string): string | undefined {
  if (step.repeat !== undefined) return JSON.stringify(Array.from({ length: step.repeat[1] }, () => step.repeat?.[0]))
  if (step.body === undefined) return undefined
  const text = typeof step.body === 'string' ? step.body : pythonJson(step.body)
  return filledIn(step.pad === undefined ? text : text.replace('@PAD@', 'x'.repeat(step.pad)))
}

function parsed(step: Step, status: number, text: string): unknown {
  try {
    if (step.watch !== undefined && status === 200) return parsedLines(text)
    return JSON.parse(text)
  } catch {
    return text.slice(0, 300)
  }
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, part) => {
    if (typeof inner !== 'object' || inner === null) return null
    return (inner as Record<string, unknown>)[part] ?? null
  }, value)
}

function shownHeaders(headers: RawAnswer['headers']): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const name of comparedHeaders) {
    const values = headers[name]
    if (values === undefined) continue
    const last = values.at(-1) ?? ''
    shown[name] = name === 'etag' ? '<etag>' : last.replace(/hash=[0-9A-F]+/, 'hash=<h>')
  }
  return shown
}
