import { forbidden, methodNotAllowed } from '../../api/error.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { RequestInfo, ResourceInfo } from '../../server/request/request-info.ts'
import { proxyVerbs } from './proxy-request.ts'

const nodes = { group: '', plural: 'nodes' }
const because =
  'nodes of a virtual cluster are those of its host, and their kubelets know the Pods of others; ' +
  'kubectl logs, exec, port-forward and top reach the Pods of this cluster'

/** Requests to kubelets are not passed to the host. Callers with the right to make them get an explanation. */
export const nodeProxyRoute: ExtraRoute = ({ info }) => {
  if (!isOfKubelet(info)) return undefined
  return () => {
    if (!proxyVerbs.includes(info.verb)) throw methodNotAllowed()
    throw forbidden(nodes, info.pathName, because)
  }
}

function isOfKubelet(info: RequestInfo): info is ResourceInfo {
  if (info.form !== 'resource' || info.group !== '' || info.version !== 'v1' || info.resource !== 'nodes') return false
  return info.subresource === 'proxy' && info.namespace === '' && info.pathName !== ''
}
