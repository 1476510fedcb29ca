import type { Random } from '../../base/random.ts'
import type { Exchange } from '../../server/exchange.ts'
import { headerOf, type Response } from '../../server/http.ts'
import type { PipelineStep } from '../../server/pipeline.ts'
import { hostOf } from '../../server/request/plain-host.ts'
import { pageNotFound, textResponse } from '../../server/responses/responses.ts'
import { type ConsoleFile, type ConsoleFiles, type Encoding, nonceMark, readConsoleFiles } from './console-files.ts'
import { contentSecurityPolicy, pageHeaders, securityHeaders, transportSecurity } from './security-headers.ts'

export interface ConsoleOptions {
  /** The directory of the built console; undefined if it has not been built. */
  readonly directory: string | undefined
  readonly random: Random
}

const notBuilt = 'The console is not part of this installation. Build it with: npm run build\n'
const assets = '/assets/'

/** First segments of paths that never lead to a page of the console. */
const reserved: ReadonlySet<string> = new Set([
  ...['api', 'apis', 'auth', 'kubernetes', 'openapi', 'version', 'metrics'],
  ...['healthz', 'livez', 'readyz', 'logs', '.well-known', 'openid', 'oidc'],
])

/**
 * The console is the same for every user and contains no data, so it is served before authentication. Only what a
 * browser requests as a page is answered with the page: programs get from `/` what every API server answers there.
 */
export function consolePages({ directory, random }: ConsoleOptions): PipelineStep {
  let known: ConsoleFiles | undefined
  const files = () => {
    known ??= directory === undefined ? undefined : readConsoleFiles(directory)
    return known
  }
  return (exchange) => {
    const { method } = exchange.request
    if (exchange.onward !== undefined || exchange.info.form !== 'path') return
    if (method !== 'GET' && method !== 'HEAD') return
    const response = answerFor(exchange, exchange.info.path, files, random)
    if (response === undefined) return
    exchange.isAuthorized = true
    exchange.isOpenToAll = true
    return response
  }
}

function answerFor(
  { request }: Exchange,
  path: string,
  files: () => ConsoleFiles | undefined,
  random: Random,
): Response | undefined {
  if (path.startsWith(assets) || path === '/favicon.svg') {
    const file = files()?.files.get(path)
    return file === undefined ? pageNotFound() : fileResponse(file, headerOf(request, 'accept-encoding'), path)
  }
  const [, root = ''] = path.split('/', 2)
  if (reserved.has(root) || !wantsPage(headerOf(request, 'accept'))) return undefined
  const page = files()?.page
  return page === undefined ? textResponse(503, notBuilt) : pageResponse(page, random, hostOf(request))
}

function wantsPage(accept: string | undefined): boolean {
  return accept?.split(',').some((clause) => clause.trim().toLowerCase().startsWith('text/html')) === true
}

function pageResponse(page: string, random: Random, host: string): Response {
  const nonce = Buffer.from(random.bytes(18)).toString('base64')
  const headers = [
    ...['Content-Type', 'text/html; charset=utf-8', 'Cache-Control', 'no-store', 'Vary', 'Accept'],
    ...['Content-Security-Policy', contentSecurityPolicy(nonce, host)],
    ...transportSecurity(host),
    ...pageHeaders,
  ]
  return { status: 200, headers, body: Buffer.from(page.replaceAll(nonceMark, nonce)) }
}

/** Names of files under `/assets` contain a hash of their content, so the files never change. */
function fileResponse(file: ConsoleFile, accepted: string | undefined, path: string): Response {
  const encoding = acceptedEncoding(accepted, file)
  const lifetime = path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
  const headers = [
    ...['Content-Type', file.contentType, 'Cache-Control', lifetime, 'Vary', 'Accept-Encoding'],
    ...(encoding === undefined ? [] : ['Content-Encoding', encoding]),
    ...securityHeaders,
  ]
  const body = encoding === undefined ? file.plain : (file.compressed.get(encoding) ?? file.plain)
  return { status: 200, headers, body }
}

const preferred: readonly Encoding[] = ['br', 'gzip']

/** The smallest encoding that the browser accepts; undefined for the plain form. */
function acceptedEncoding(header: string | undefined, { compressed }: ConsoleFile): Encoding | undefined {
  const accepted = (header ?? '').split(',').map(readClause)
  return preferred.find((encoding) => compressed.has(encoding) && accepted.some((clause) => takes(clause, encoding)))
}

interface Clause {
  readonly name: string
  readonly isRefused: boolean
}

function readClause(text: string): Clause {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  return { name, isRefused: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) }
}

function takes({ name, isRefused }: Clause, encoding: Encoding): boolean {
  return name === encoding && !isRefused
}
