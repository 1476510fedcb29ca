import { parseIP, specialRanges } from '../../api/core/addresses/ip-address.ts'
import { badRequest, methodNotAllowed, notFound, unreachable } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Endpoints, Pod, Service } from '../../api/types/core-v1.ts'
import type { Engine } from '../../registry/context.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Response } from '../../server/http.ts'
import type { Query } from '../../server/request/query.ts'
import type { ResourceInfo } from '../../server/request/request-info.ts'
import { emptyResponse } from '../../server/responses/responses.ts'
import { chosenContainer } from '../../tenant/pod-access/chosen-container.ts'
import { proxiedName, proxyVerbs } from '../../tenant/pod-access/proxy-request.ts'
import { requireLogOptions } from './log-options.ts'

type Answer = (engine: Engine, info: ResourceInfo) => Response

interface NodelessRoute {
  readonly verbs: readonly string[]
  readonly answer: Answer
}

const streamVerbs = ['create', 'get']

/** By resource and subresource. */
const nodelessAnswers: Readonly<Record<string, NodelessRoute>> = {
  'nodes/proxy': { verbs: proxyVerbs, answer: askNode },
  'pods/attach': { verbs: streamVerbs, answer: openStream },
  'pods/exec': { verbs: streamVerbs, answer: openStream },
  'pods/log': { verbs: ['get'], answer: readLog },
  'pods/portforward': { verbs: streamVerbs, answer: forwardPorts },
  'pods/proxy': { verbs: proxyVerbs, answer: askPod },
  'services/proxy': { verbs: proxyVerbs, answer: askService },
}

/** The answers of a server without kubelets to requests for a Pod: as kube-apiserver answers before it asks one. */
export function nodelessRoutes(engine: Engine): ExtraRoute {
  return ({ info }) => {
    if (info.form !== 'resource' || info.group !== '' || info.version !== 'v1' || info.pathName === '') return undefined
    const route = nodelessAnswers[`${info.resource}/${info.subresource}`]
    if (route === undefined || (info.namespace === '') !== (info.resource === 'nodes')) return undefined
    return () => {
      if (!route.verbs.includes(info.verb)) throw methodNotAllowed()
      return route.answer(engine, info)
    }
  }
}

/** A Pod that waits for a node has no log yet. */
function readLog(engine: Engine, info: ResourceInfo): Response {
  requireLogOptions(info.pathName, info.query)
  const pod = podOf(engine, info, info.pathName)
  chosenContainer(pod, info.query.get('container') ?? '')
  if ((pod.spec.nodeName ?? '') === '') return emptyResponse(204, [])
  throw silentKubelet(engine, pod)
}

function openStream(engine: Engine, info: ResourceInfo): never {
  const pod = podOf(engine, info, info.pathName)
  chosenContainer(pod, info.query.get('container') ?? '')
  throw silentKubelet(engine, pod)
}

function forwardPorts(engine: Engine, info: ResourceInfo): never {
  requirePorts(info.query)
  throw silentKubelet(engine, podOf(engine, info, info.pathName))
}

function requirePorts(query: Query): void {
  const wrong = query.all('ports').find((each) => !/^\d+$/.test(each))
  if (wrong === undefined) return
  throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(wrong)}: invalid syntax`)
}

function askPod(engine: Engine, info: ResourceInfo): never {
  const { name } = nameIn(info, 'pod')
  const { status } = podOf(engine, info, name)
  const address = status?.podIP ?? ''
  const parsed = parseIP(address)
  if (parsed === undefined || specialRanges(address, parsed).length > 0) throw badRequest('address not allowed')
  throw unreachable(`no node of this server leads to ${address}`)
}

function askService(engine: Engine, info: ResourceInfo): never {
  const { name, port } = nameIn(info, 'service')
  if (/^[+-]?\d+$/.test(port)) {
    const { spec } = found<Service>(engine, 'Service', { plural: 'services', namespace: info.namespace, name })
    if (!spec.ports?.some((each) => each.port === Number(port)))
      throw unreachable(`no service port ${Number(port)} found for service ${JSON.stringify(name)}`)
  }
  const { subsets = [] } = found<Endpoints>(engine, 'Endpoints', {
    // Kubernetes names the Service if its Endpoints are missing.
    plural: 'services',
    namespace: info.namespace,
    name,
  })
  const asked = subsets.length === 0 ? name : info.pathName
  throw unreachable(`no endpoints available for service ${JSON.stringify(asked)}`)
}

function askNode(engine: Engine, info: ResourceInfo): never {
  const { name } = nameIn(info, 'node')
  found(engine, 'Node', { plural: 'nodes', namespace: '', name })
  throw unreachable(`no kubelet answers for the node ${name}`)
}

function silentKubelet(engine: Engine, { metadata, spec }: Pod): Error {
  const { nodeName = '' } = spec
  if (nodeName === '') return badRequest(`pod ${metadata.name} does not have a host assigned`)
  // Kubernetes names the Pod if the node is missing.
  found(engine, 'Node', { plural: 'pods', namespace: '', name: nodeName })
  return unreachable(`no kubelet answers for the node ${nodeName} of pod ${metadata.name}`)
}

function nameIn({ pathName }: ResourceInfo, what: string) {
  const named = proxiedName(pathName)
  if (named === undefined) throw badRequest(`invalid ${what} request ${JSON.stringify(pathName)}`)
  return named
}

function podOf(engine: Engine, { namespace }: ResourceInfo, name: string): Pod {
  return found<Pod>(engine, 'Pod', { plural: 'pods', namespace, name })
}

interface Wanted {
  readonly plural: string
  readonly namespace: string
  readonly name: string
}

/** Objects of built-in kinds have the type of their kind. */
function found<T extends KubeObject>(engine: Engine, kind: string, { plural, namespace, name }: Wanted): T {
  const object = engine.find('', kind)?.cache.get({ namespace, name })?.object
  if (object === undefined) throw notFound({ group: '', plural }, name)
  return object as T
}
