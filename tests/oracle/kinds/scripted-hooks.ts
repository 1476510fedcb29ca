import { isDeepStrictEqual } from 'node:util'
import { type HookRequest, type HookResponse, startWebhookServer } from '../../support/network/webhook-server.ts'
import { isObject, pick, put } from './paths.ts'

/** The answer of the story's server at a path. */
interface Route {
  readonly allowed?: boolean
  readonly uid?: string
  readonly apiVersion?: string
  readonly kind?: string
  readonly status?: unknown
  readonly warnings?: unknown
  readonly auditAnnotations?: unknown
  readonly patch?: unknown
  readonly patchType?: string
  readonly delay?: number
  readonly quiet?: boolean
  readonly raw?: {
    readonly status?: number
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
  }
  readonly when?: readonly { readonly if: Readonly<Record<string, unknown>>; readonly then: Partial<Route> }[]
  /** By version: values that move to another place. */
  readonly convert?: Readonly<Record<string, readonly (readonly [string, string])[]>>
  readonly fail?: string
}

export type Routes = Readonly<Record<string, Route>>

type Call = Record<string, unknown>

/** The webhooks and the aggregated server of one story: gives scripted answers, and records its requests. */
export async function startScriptedHooks() {
  let routes: Routes = {}
  let seen: Call[] = []
  const server = await startWebhookServer(
    (request) => answerTo(request, routes, (call) => seen.push(call)),
    ['hook.o2.svc', 'agg.o2agga.svc', 'agg.o2aggb.svc'],
  )
  return {
    server,
    serve: (given: Routes) => {
      routes = given
      seen = []
    },
    calls: (): readonly Call[] => {
      const calls = seen
      seen = []
      return calls
    },
  }
}

async function answerTo(request: HookRequest, routes: Routes, note: (call: Call) => void): Promise<HookResponse> {
  const { method, path, headers, body } = request
  const review = parsed(body)
  const [plain = ''] = path.split('?')
  const found = routes[`${method} ${plain}`] ?? routes[plain]
  if (found === undefined) {
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' }
  }
  if (found.quiet !== true) note({ method, path, ...callers(headers), ...told(review) })
  const then = (found.when ?? []).filter((each) => fits(each.if, review)).map((each) => each.then)
  const route: Route = Object.assign({}, found, ...then)
  await new Promise((resolve) => setTimeout(resolve, (route.delay ?? 0) * 1000))
  if (route.raw !== undefined) return rawAnswer(route.raw)
  const asked = isObject(review) && isObject(review.request) ? review.request : {}
  const response = route.convert === undefined ? judged(route, asked) : converted(route, asked)
  const { apiVersion, kind } = isObject(review) ? review : {}
  return { body: JSON.stringify({ apiVersion: route.apiVersion ?? apiVersion, kind: route.kind ?? kind, response }) }
}

function callers(headers: HookRequest['headers']): Call {
  const groups = headers['x-remote-group']
  const list = typeof groups === 'string' ? groups.split(', ') : (groups ?? null)
  return { user: headers['x-remote-user'] ?? null, groups: list }
}

function told(review: unknown): Call {
  if (!isObject(review)) return {}
  const { apiVersion, kind, request } = review
  return 'request' in review ? { apiVersion, kind, request } : { body: review }
}

/** Whether every path has its value. */
export function fits(wanted: Readonly<Record<string, unknown>>, review: unknown): boolean {
  return Object.entries(wanted).every(([path, value]) => isDeepStrictEqual(pick(review, path), value))
}

function rawAnswer({ status = 200, headers = {}, body = '' }: NonNullable<Route['raw']>): HookResponse {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return { status, headers: named, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

function judged(route: Route, request: Record<string, unknown>): Call {
  const { status, warnings, auditAnnotations, patch } = route
  const text = typeof patch === 'string' ? patch : JSON.stringify(patch)
  return {
    uid: route.uid ?? request.uid,
    allowed: route.allowed ?? true,
    ...(status !== undefined && { status }),
    ...(warnings !== undefined && { warnings }),
    ...(auditAnnotations !== undefined && { auditAnnotations }),
    ...(patch !== undefined && {
      patchType: route.patchType ?? 'JSONPatch',
      patch: Buffer.from(text).toString('base64'),
    }),
  }
}

function converted({ convert = {}, fail }: Route, { uid, desiredAPIVersion, objects }: Record<string, unknown>): Call {
  if (fail !== undefined) return { uid, result: { status: 'Failed', message: fail } }
  const wanted = String(desiredAPIVersion)
  const moves = convert[wanted.slice(wanted.indexOf('/') + 1)] ?? []
  const convertedObjects = (Array.isArray(objects) ? objects : []).map((given: unknown) => {
    const object = structuredClone(given)
    for (const [from, to] of moves) {
      const value = pick(object, from)
      if (value === null) continue
      put(object, from, undefined)
      put(object, to, value)
    }
    return { ...(isObject(object) ? object : {}), apiVersion: wanted }
  })
  return { uid, result: { status: 'Success' }, convertedObjects }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
