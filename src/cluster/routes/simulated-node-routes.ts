import { badRequest, notFound } from '../../api/error.ts'
import type { Pod } from '../../api/types/core-v1.ts'
import { simulatedNodeName } from '../../controllers/simulated-node/settings.ts'
import type { Engine } from '../../registry/context.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Handler } from '../../server/exchange.ts'
import { textResponse } from '../../server/responses/responses.ts'
import { isProxied, type ProxiedInfo, proxiedName } from '../../tenant/pod-access/proxy-request.ts'

const howToRun = 'to run containers, create the virtual cluster on a real host: docs/guides/real-cluster.md'

const streams: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward'])

/** Answers in place of a kubelet. `kubectl logs` gets one line; requests that need a running program are refused. */
export function simulatedNodeRoutes(engine: Engine): ExtraRoute {
  return ({ info }) => {
    if (isProxied(info)) return refusedProxy(engine, info)
    if (info.form !== 'resource' || info.group !== '' || info.resource !== 'pods' || info.pathName === '')
      return undefined
    const { namespace, pathName: name, subresource } = info
    if (subresource === 'log') return info.verb === 'get' ? logsOf(engine, namespace, name) : undefined
    return streams.has(subresource) ? refusedStream(engine, namespace, name) : undefined
  }
}

function logsOf(engine: Engine, namespace: string, name: string): Handler {
  return () => {
    requireSimulated(engine, namespace, name)
    return textResponse(200, `Nothing runs on the node ${simulatedNodeName}, so there are no logs; ${howToRun}\n`)
  }
}

function refusedStream(engine: Engine, namespace: string, name: string): Handler {
  return () => {
    requireSimulated(engine, namespace, name)
    throw badRequest(`nothing runs on the node ${simulatedNodeName}; ${howToRun}`)
  }
}

function refusedProxy(engine: Engine, info: ProxiedInfo): Handler {
  const { name } = proxiedName(info.pathName) ?? { name: info.pathName }
  if (info.resource === 'pods') return refusedStream(engine, info.namespace, name)
  return () => {
    const services = engine.find('', 'Service')
    if (services?.cache.get({ namespace: info.namespace, name }) === undefined)
      throw notFound(services?.kind ?? { plural: 'services', group: '' }, name)
    throw badRequest(`nothing runs on the node ${simulatedNodeName}; ${howToRun}`)
  }
}

function requireSimulated(engine: Engine, namespace: string, name: string): void {
  const pods = engine.find('', 'Pod')
  const pod = pods?.cache.get({ namespace, name })?.object as Pod | undefined
  if (pod === undefined) throw notFound(pods?.kind ?? { plural: 'pods', group: '' }, name)
  const { nodeName } = pod.spec
  if (nodeName === undefined) throw badRequest(`pod ${name} does not have a host assigned`)
  if (nodeName !== simulatedNodeName) throw badRequest(`no kubelet answers for the node ${nodeName} of pod ${name}`)
}
