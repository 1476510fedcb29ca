import { badRequest, methodNotAllowed } from '../../api/error.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { plainUrl } from '../../server/onward/plain-url.ts'
import { printQuery } from '../../server/request/query.ts'
import { type RequestInfo, type ResourceInfo, withoutManagementPrefix } from '../../server/request/request-info.ts'

/** An HTTP request to a Pod, or to a Pod behind a Service. */
export interface ProxyRequest {
  readonly resource: 'pods' | 'services'
  readonly object: ObjectName
  /** The name with its scheme and port, as requested. */
  readonly pathName: string
  readonly scheme: 'http' | 'https'
  /** As requested. Empty if none is named. */
  readonly port: string
  /** The path after `/proxy`. */
  readonly path: string
  readonly query: string
}

/** As served by Kubernetes. */
export const proxyVerbs: readonly string[] = ['create', 'delete', 'get', 'patch', 'update']

/** `/api/v1/namespaces/NAMESPACE/pods/NAME/proxy`, split at its slashes. */
const segmentsBefore = 8

export interface ProxiedInfo extends ResourceInfo {
  readonly resource: 'pods' | 'services'
}

/** Whether the request is a proxy request to a Pod or a Service, with any verb. */
export function isProxied(info: RequestInfo): info is ProxiedInfo {
  if (info.form !== 'resource' || info.group !== '' || info.version !== 'v1' || info.subresource !== 'proxy')
    return false
  return (info.resource === 'pods' || info.resource === 'services') && info.namespace !== '' && info.pathName !== ''
}

/** Throws for a verb that is not served, and for a path that two servers may read differently. */
export function proxyRequestOf(info: ProxiedInfo): ProxyRequest {
  const { resource, namespace, pathName, verb, query } = info
  if (!proxyVerbs.includes(verb)) throw methodNotAllowed()
  const named = proxiedName(pathName)
  if (named === undefined) throw badRequest(`invalid ${resource.slice(0, -1)} request ${JSON.stringify(pathName)}`)
  const { name, scheme, port } = named
  const path = pathBehind(info.path)
  return { resource, object: { namespace, name }, pathName, scheme, port, path, query: printQuery(query.pairs) }
}

const objectName = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/

/** `NAME`, `NAME:PORT` or `SCHEME:NAME:PORT`. */
export function proxiedName(text: string): (Pick<ProxyRequest, 'scheme' | 'port'> & { name: string }) | undefined {
  const parts = text.split(':')
  const [scheme, name, port] = parts.length === 3 ? parts : ['', ...parts, '']
  const isKnown = scheme === '' || scheme === 'http' || scheme === 'https'
  if (!isKnown || name === undefined || port === undefined || parts.length > 3 || !objectName.test(name))
    return undefined
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port }
}

/** Rebuilt from the parsed path, so that the host gets exactly what was authorized here. */
function pathBehind(path: string): string {
  const segments = withoutManagementPrefix(path).split('/')
  return `/${plainUrl(segments, '').split('/').slice(segmentsBefore).join('/')}`
}
