import type { ExtraRoute } from '../../../src/server/contract.ts'
import type { ApiGroup } from '../../../src/server/discovery/catalog.ts'
import { jsonResponse, textResponse } from '../../../src/server/responses/responses.ts'
import { copyName } from '../../chaos/names.ts'

const measured = { timestamp: '2030-01-01T00:00:00Z', window: '15s' }
const metricsGroup = 'metrics.k8s.io'
/** While it is down, the host answers instead, and reveals its address. */
export const metricsServer = { isDown: false }
/** The containers of each Pod. */
export const measuredContainers = new Set(['main', 'mesh-proxy'])

export const measuredGroup: ApiGroup = {
  name: metricsGroup,
  versions: [{ version: 'v1beta1', resources: [resourceOf('nodes', 'NodeMetrics'), resourceOf('pods', 'PodMetrics')] }],
}

function resourceOf(plural: string, kind: string): ApiGroup['versions'][number]['resources'][number] {
  return {
    plural,
    singular: '',
    namespaced: plural === 'pods',
    kind: { group: metricsGroup, version: 'v1beta1', kind },
    flavor: 'builtin',
    verbs: ['get', 'list'],
    shortNames: [],
    categories: [],
    subresources: [],
  }
}

/** A metrics server of a host: it has metrics of all Pods, here of each requested one and of one of a stranger. */
export const measuredRoute: ExtraRoute = ({ info }) => {
  if (info.form !== 'resource' || info.group !== metricsGroup) return undefined
  if (metricsServer.isDown) return () => textResponse(503, 'error trying to reach service: dial tcp 10.1.2.3:4443')
  const { namespace, pathName } = info
  if (info.resource === 'nodes') {
    const all = ['node-1', 'node-2'].map(nodeMetrics)
    return () =>
      jsonResponse(200, pathName ? nodeMetrics(pathName) : { kind: 'NodeMetricsList', metadata: {}, items: all })
  }
  return () => {
    const names = pathName
      ? [pathName]
      : [copyName({ tenant: 'demo', hostNamespace: namespace }, 'default', 'web'), 'stranger']
    const items = names.map((name) => podMetrics(namespace, name))
    return jsonResponse(200, pathName ? items[0] : { kind: 'PodMetricsList', metadata: {}, items })
  }
}

function nodeMetrics(name: string): object {
  return { kind: 'NodeMetrics', metadata: { name }, ...measured, usage: { cpu: '500m', memory: '1Gi' } }
}

function podMetrics(namespace: string, name: string): object {
  const containers = [...measuredContainers].map((container) => {
    const usage = container === 'main' ? { cpu: '7m', memory: '3Mi' } : { cpu: '0', memory: '0' }
    return { name: container, usage }
  })
  return { kind: 'PodMetrics', metadata: { namespace, name }, ...measured, containers }
}
