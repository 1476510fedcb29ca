import type { Attributes } from '../../api/access.ts'
import type { Authorizer } from '../../auth/contract.ts'
import type { Policies } from '../../registry/policies/policies.ts'
import { connectAttributes } from '../../registry/webhooks/connect-attributes.ts'
import type { AdmissionAttributes } from '../../registry/webhooks/contract.ts'
import type { Webhooks } from '../../registry/webhooks/webhooks.ts'
import type { ExtraRoute } from '../../server/contract.ts'
import type { Exchange } from '../../server/exchange.ts'
import type { QueryParameter } from '../../server/request/query.ts'
import type { ResourceInfo } from '../../server/request/request-info.ts'
import { isProxied, proxyRequestOf } from '../../tenant/pod-access/proxy-request.ts'

export interface ConnectionJudges {
  readonly webhooks: Webhooks
  readonly policies: Policies
  readonly authorizer: Authorizer
}

/** Wraps a route so that webhooks and policies are called before it connects a caller with a Pod. */
export function admittedConnections(route: ExtraRoute, judges: ConnectionJudges): ExtraRoute {
  return (exchange) => {
    const handler = route(exchange)
    const attributes = handler && attributesOfConnection(exchange)
    if (handler === undefined || attributes === undefined) return handler
    return async (connecting) => {
      await requireAdmitted(attributes, connecting, judges)
      return handler(connecting)
    }
  }
}

function attributesOfConnection({ info, user }: Exchange): AdmissionAttributes | undefined {
  if (info.form !== 'resource' || info.group !== '' || info.version !== 'v1') return undefined
  const { resource, namespace, pathName: name, subresource } = info
  return connectAttributes({ resource, namespace, name, subresource, parameters: parametersOf(info), user })
}

/** The query of a proxy request is for the program behind it. */
function parametersOf(info: ResourceInfo): readonly QueryParameter[] {
  return isProxied(info) ? [['path', proxyRequestOf(info).path]] : info.query.pairs
}

async function requireAdmitted(
  attributes: AdmissionAttributes,
  exchange: Exchange,
  { webhooks, policies, authorizer }: ConnectionJudges,
): Promise<void> {
  const request = {
    user: exchange.user,
    signal: exchange.request.signal,
    warn: (text: string) => exchange.warn(text),
    annotate: (key: string, value: string) => exchange.annotate(key, value),
    authorize: (asked: Attributes) => authorizer.authorize(asked),
  }
  if (webhooks.has('mutating')) await webhooks.mutate(attributes, request, (given) => Promise.resolve(given))
  if (policies.has()) await policies.validate(attributes, request)
  if (webhooks.has('validating')) await webhooks.validate(attributes, request)
}
