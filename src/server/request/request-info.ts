import { badRequest } from '../../api/error.ts'
import { exactName } from '../../api/selectors/field-selector.ts'
import { goBoolean } from './go-values.ts'
import { emptyQuery, parseQuery, percentDecoded, type Query } from './query.ts'

/** What a request is for, parsed only from its method and URL, before checking whether it exists. */
export type RequestInfo = ResourceInfo | PathInfo

export interface ResourceInfo {
  readonly form: 'resource'
  /** As sent. */
  readonly path: string
  readonly query: Query
  readonly verb: string
  readonly group: string
  readonly version: string
  /** For a namespace itself this is its own name, as authorization expects. */
  readonly namespace: string
  readonly resource: string
  readonly subresource: string
  /** For authorization; a collection requested with `fieldSelector=metadata.name=x` has x here. */
  readonly name: string
  /** The name in the path; empty for collections. */
  readonly pathName: string
  /** Whether the deprecated `/watch/` prefix was used. */
  readonly legacyWatch: boolean
  /** Whether segments follow the subresource: nothing is served there. */
  readonly hasRest: boolean
}

export interface PathInfo {
  readonly form: 'path'
  /** Without doubled and trailing slashes. */
  readonly path: string
  readonly query: Query
  readonly verb: string
}

const managementPrefix = '/kubernetes/management'

const plainUrl = /^[\x21-\x7e]*$/

/** Throws a 400 for a URL with bytes that must be escaped: some parsers take them for UTF-8, others do not. */
export function requirePlainUrl(url: string): void {
  if (!plainUrl.test(url)) throw badRequest('the URL of the request holds characters that must be percent-encoded')
}

/** Throws a 400 for a URL that cannot be parsed. */
export function readRequestInfo(method: string, url: string): RequestInfo {
  const question = url.indexOf('?')
  const rawPath = question < 0 ? url : url.slice(0, question)
  const query = question < 0 ? emptyQuery : parseQuery(url.slice(question + 1))
  const segments = pathSegments(withoutManagementPrefix(rawPath))
  const api = apiOf(segments)
  if (api === undefined) return { form: 'path', path: `/${segments.join('/')}`, query, verb: method.toLowerCase() }
  return resourceInfo(method, rawPath, query, segments, api)
}

/** The raw path without the prefix of the platform's own API. */
export function withoutManagementPrefix(path: string): string {
  if (!path.startsWith(managementPrefix)) return path
  const rest = path.slice(managementPrefix.length)
  return rest === '' || rest.startsWith('/') ? rest : path
}

function pathSegments(rawPath: string): readonly string[] {
  const path = percentDecoded(rawPath)
  if (path === undefined) throw badRequest('the path of the request holds an invalid percent escape')
  const segments: string[] = []
  let slash = path.indexOf('/')
  while (slash >= 0) {
    const next = path.indexOf('/', slash + 1)
    const segment = next < 0 ? path.slice(slash + 1) : path.slice(slash + 1, next)
    if (segment !== '') segments.push(segment)
    slash = next
  }
  return segments
}

interface Api {
  readonly group: string
  readonly version: string
  /** Index of the first segment after group and version. */
  readonly start: number
  readonly legacyWatch: boolean
}

/** Undefined when the path names no resource, such as discovery and health. */
function apiOf(segments: readonly string[]): Api | undefined {
  const [root, first = '', second = ''] = segments
  if (root !== 'api' && root !== 'apis') return undefined
  const [group, version, start] = root === 'api' ? ['', first, 2] : [first, second, 3]
  const legacyWatch = segments[start] === 'watch'
  const resourceStart = legacyWatch ? start + 1 : start
  if (segments.length <= resourceStart) return undefined
  return { group, version, start: resourceStart, legacyWatch }
}

interface Place {
  readonly namespace: string
  readonly resource: string
  readonly pathName: string
  readonly subresource: string
  readonly hasRest: boolean
}

function resourceInfo(method: string, path: string, query: Query, segments: readonly string[], api: Api): ResourceInfo {
  const { group, version, start, legacyWatch } = api
  const { namespace, resource, pathName, subresource, hasRest } = placeOf(segments, start)
  const verb = legacyWatch ? 'watch' : resourceVerb(method, pathName, query)
  const name =
    pathName === '' && (verb === 'list' || verb === 'watch') ? exactName(query.get('fieldSelector') ?? '') : pathName
  return {
    form: 'resource',
    path,
    query,
    verb,
    group,
    version,
    namespace,
    resource,
    subresource,
    name,
    pathName,
    legacyWatch,
    hasRest,
  }
}

const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize'])

function placeOf(segments: readonly string[], start: number): Place {
  const namespace = segments[start] === 'namespaces' ? (segments[start + 1] ?? '') : ''
  const next = segments[start + 2]
  const inside = namespace !== '' && next !== undefined && !namespaceSubresources.has(next)
  const at = inside ? start + 2 : start
  return {
    namespace,
    resource: segments[at] ?? '',
    pathName: segments[at + 1] ?? '',
    subresource: segments[at + 2] ?? '',
    hasRest: segments.length > at + 3,
  }
}

function resourceVerb(method: string, name: string, query: Query): string {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (name !== '') return 'get'
      return goBoolean(query.get('watch')) ? 'watch' : 'list'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete'
    default:
      return ''
  }
}
