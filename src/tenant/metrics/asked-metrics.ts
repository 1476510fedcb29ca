import type { RequestInfo } from '../../server/request/request-info.ts'

export const metricsGroup = 'metrics.k8s.io'
export const metricsVersion = 'v1beta1'

/** A request for the metrics of Pods or nodes. */
export type AskedMetrics =
  | { readonly form: 'pod' | 'node'; readonly namespace: string; readonly name: string }
  | {
      readonly form: 'pods' | 'nodes'
      /** Empty: all namespaces. */
      readonly namespace: string
      readonly labelSelector: string
      readonly fieldSelector: string
    }

/** Undefined for any other request. */
export function askedMetrics(info: RequestInfo): AskedMetrics | undefined {
  if (info.form !== 'resource' || info.group !== metricsGroup || info.version !== metricsVersion) return undefined
  const { resource, namespace, pathName: name, query, subresource, hasRest, verb } = info
  const isPods = resource === 'pods'
  const isNodes = resource === 'nodes' && namespace === ''
  if ((!isPods && !isNodes) || subresource !== '' || hasRest) return undefined
  if (verb === 'get' && (isNodes || namespace !== '')) return { form: isPods ? 'pod' : 'node', namespace, name }
  if (verb !== 'list') return undefined
  return {
    form: isPods ? 'pods' : 'nodes',
    namespace,
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
  }
}
