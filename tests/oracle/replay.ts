import { request } from 'node:https'
import { normaliser } from './normalise.ts'

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

/** Sends steps in order; what one saves, later ones use. */
export function replayer(port: number): (step: Step) => Promise<Answer> {
  const saved = new Map<string, string>()
  const normalise = normaliser()
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
      body: normalise(step.pick === undefined ? body : at(body, step.pick)),
    }
  }
}

interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

function send(port: number, step: Step, filledIn: (text: string) => string): Promise<RawAnswer> {
  const body = bodyOf(step, filledIn)
  const token = tokens[step.as ?? 'admin']
  const headers: Record<string, string> = {
    'User-Agent': 'probe/1.0',
    Accept: 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
  }
  for (const [name, value] of Object.entries(step.headers ?? {})) headers[name] = filledIn(value)
  const path = filledIn(step.path).replaceAll(' ', '%20')
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, path, method: step.method, headers, rejectUnauthorized: false, agent: false },
      (response) => {
        let text = ''
        const finish = () => resolve({ status: response.statusCode ?? 0, headers: response.headersDistinct, text })
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          if (step.watch !== undefined && text.split('\n').length > step.watch) {
            finish()
            response.destroy()
          }
        })
        response.on('end', finish)
        response.on('error', finish)
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

function bodyOf(step: Step, filledIn: (text: string) => string): string | undefined {
  if (step.repeat !== undefined) return JSON.stringify(Array.from({ length: step.repeat[1] }, () => step.repeat?.[0]))
  if (step.body === undefined) return undefined
  const text = typeof step.body === 'string' ? step.body : pythonJson(step.body)
  return filledIn(step.pad === undefined ? text : text.replace('@PAD@', 'x'.repeat(step.pad)))
}

/** The recorder sent bodies with a blank after each comma and colon, and some answers quote them. */
function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${pythonJson(member)}`)
  return `{${members.join(', ')}}`
}

function parsed(step: Step, status: number, text: string): unknown {
  try {
    if (step.watch !== undefined && status === 200) {
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line))
    }
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
    const last = Array.isArray(values) ? (values.at(-1) ?? '') : values
    shown[name] = name === 'etag' ? '<etag>' : last.replace(/hash=[0-9A-F]+/, 'hash=<h>')
  }
  return shown
}
