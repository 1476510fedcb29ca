import type { AggregatedApi } from '../../registry/aggregation/contract.ts'
import type { OpenApi, ServedFile } from '../contract.ts'
import type { Handler } from '../exchange.ts'
import { headerOf, type Response } from '../http.ts'
import { withForeignDocuments } from '../openapi/foreign-index.ts'
import { parseAccept } from '../request/negotiate.ts'
import { emptyResponse } from '../responses/responses.ts'
import type { PathRoute } from './paths.ts'

/** The type that Kubernetes sends, although the content is JSON. */
const indexType = 'text/plain; charset=utf-8'

const year = 365 * 24 * 3_600_000

/** `foreign`: the APIs behind APIServices. */
export function openApiRoutes(
  openApi: OpenApi,
  nowMs: () => number,
  foreign: () => readonly AggregatedApi[] = () => [],
): readonly PathRoute[] {
  return [
    { path: '/openapi/v2', handler: v2Handler(openApi), methods: 'all' },
    {
      path: '/openapi/v3',
      methods: 'all',
      handler: async ({ request }) => {
        const index = withForeignDocuments(await openApi.v3Index(), foreign())
        return servedIndex(index, headerOf(request, 'if-none-match'))
      },
    },
    { path: '/openapi/v3/', handler: v3Handler(openApi, nowMs), methods: 'all' },
  ]
}

function v3Handler(openApi: OpenApi, nowMs: () => number): Handler {
  return async ({ info, request }) => {
    const document = await openApi.v3(info.path.slice('/openapi/v3/'.length))
    if (document === undefined) return emptyResponse(404, [])
    const asked = info.query.get('hash') ?? ''
    if (asked === '') return served(document, 'application/json', headerOf(request, 'if-none-match'))
    if (asked !== document.hash) return movedTo(`${info.path}?hash=${document.hash}`, document)
    const forever = ['Cache-Control', 'public, immutable', 'Expires', new Date(nowMs() + year).toUTCString()]
    return served(document, 'application/json', headerOf(request, 'if-none-match'), forever)
  }
}

function movedTo(location: string, { etag }: ServedFile): Response {
  const headers = ['Location', location, 'Content-Type', 'application/json', 'Etag', etag, 'Vary', 'Accept']
  return emptyResponse(301, headers)
}

const protobufAsked = new Set([
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
])
const protobufSent = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

function v2Handler(openApi: OpenApi): Handler {
  return async ({ request }) => {
    const format = v2Format(headerOf(request, 'accept') ?? '*/*')
    if (format === undefined) return emptyResponse(406, ['Vary', 'Accept'])
    const document = await (format === 'json' ? openApi.v2Json() : openApi.v2Protobuf())
    return served(document, format === 'json' ? 'application/json' : protobufSent, headerOf(request, 'if-none-match'))
  }
}

function v2Format(accept: string): 'json' | 'protobuf' | undefined {
  for (const { type } of parseAccept(accept)) {
    if (protobufAsked.has(type)) return 'protobuf'
    if (type === 'application/json' || type === 'application/*' || type === '*/*') return 'json'
  }
  return undefined
}

const uncached: readonly string[] = ['Cache-Control', 'no-cache, private']

/** The index has a single form, whatever is requested. */
function servedIndex({ body, etag }: ServedFile, ifNoneMatch: string | undefined): Response {
  const headers = [...uncached, 'Content-Type', indexType, 'Etag', etag]
  return ifNoneMatch === etag ? { status: 304, headers, body: Buffer.alloc(0) } : { status: 200, headers, body }
}

function served(
  document: ServedFile,
  contentType: string,
  ifNoneMatch: string | undefined,
  caching = uncached,
): Response {
  const headers = [...caching, 'Content-Type', contentType, 'Etag', document.etag, 'Vary', 'Accept']
  if (ifNoneMatch === document.etag) return { status: 304, headers, body: Buffer.alloc(0) }
  return { status: 200, headers, body: document.body }
}
