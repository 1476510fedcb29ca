import { notFound } from '../../api/error.ts'
import type { ListSelection } from '../../client/contract.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { ApiGroup, CatalogResource } from '../../server/discovery/catalog.ts'
import type { Response } from '../../server/http.ts'
import { jsonResponse } from '../../server/responses/responses.ts'
import { hostFailure } from '../pod-access/host-refusal.ts'
import { type AskedMetrics, askedMetrics, metricsGroup, metricsVersion } from './asked-metrics.ts'
import type { HostMetrics } from './host-metrics.ts'
import { metricsList } from './shown-metrics.ts'

/** Serves `kubectl top`. If the host has no metrics, the API is not served, as in a cluster without metrics. */
export function metricsRoute(find: () => HostMetrics | undefined): ExtraRoute {
  return ({ info }) => {
    const asked = askedMetrics(info)
    const metrics = find()
    if (asked === undefined || metrics?.isServed !== true) return undefined
    return async ({ request }) => {
      try {
        return await answered(asked, metrics, request.signal)
      } catch (error) {
        throw hostFailure(error)
      }
    }
  }
}

/** The group as discovery shows it. */
export function metricsGroups(metrics: HostMetrics | undefined): readonly ApiGroup[] {
  return metrics?.isServed === true ? [measuredGroup] : []
}

const measuredGroup: ApiGroup = {
  name: metricsGroup,
  versions: [{ version: metricsVersion, resources: [measuredResource('nodes'), measuredResource('pods')] }],
}

function measuredResource(plural: 'pods' | 'nodes'): CatalogResource {
  const kind = plural === 'pods' ? 'PodMetrics' : 'NodeMetrics'
  return {
    plural,
    singular: '',
    namespaced: plural === 'pods',
    kind: { group: metricsGroup, version: metricsVersion, kind },
    flavor: 'builtin',
    verbs: ['get', 'list'],
    shortNames: [],
    categories: [],
    subresources: [],
  }
}

async function answered(asked: AskedMetrics, metrics: HostMetrics, signal: AbortSignal): Promise<Response> {
  switch (asked.form) {
    case 'pod':
    case 'node': {
      const { form, namespace, name } = asked
      const one = await (form === 'pod' ? metrics.pod({ namespace, name }, signal) : metrics.node(name, signal))
      if (one === undefined) throw notFound({ group: metricsGroup, plural: `${form}s` }, name)
      return jsonResponse(200, one)
    }
    case 'pods':
      return jsonResponse(200, metricsList('PodMetricsList', await metrics.pods(selectionOf(asked), signal)))
    case 'nodes':
      return jsonResponse(200, metricsList('NodeMetricsList', await metrics.nodes(selectionOf(asked), signal)))
  }
}

function selectionOf({
  namespace,
  labelSelector,
  fieldSelector,
}: AskedMetrics & { readonly form: 'pods' | 'nodes' }): ListSelection {
  return {
    ...(namespace !== '' && { namespace }),
    ...(labelSelector !== '' && { labelSelector }),
    ...(fieldSelector !== '' && { fieldSelector }),
  }
}
