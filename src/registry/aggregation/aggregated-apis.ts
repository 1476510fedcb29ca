import { availability } from '../../api/apiregistration/api-service.ts'
import type { APIService } from '../../api/types/apiregistration-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import type { ForwardAnswer, ForwardRequest } from '../../client/forward/contract.ts'
import { type ClosableForwarder, createHttpsForwarder } from '../../client/forward/over-https.ts'
import type { ResourceContext } from '../context.ts'
import { AddressGuard } from '../webhooks/address-guard.ts'
import type { WebhookAddressRules } from '../webhooks/contract.ts'
import type { AggregatedApi, AggregatedResource, FrontProxy } from './contract.ts'
import { KnownDocuments } from './known-documents.ts'
import { KnownResources } from './known-resources.ts'

export interface AggregatedApisOptions {
  readonly services: ResourceContext
  /** Users' servers are looked up, and kept out of other networks, like webhooks. */
  readonly reach: WebhookAddressRules
  readonly frontProxy: FrontProxy
  /** Whether this server itself serves a group and version. */
  readonly isOwn: (group: string, version: string) => boolean
}

interface Connected {
  /** The values for which the forwarder was created. */
  readonly madeFor: readonly unknown[]
  readonly forwarder: ClosableForwarder
}

const noEnvironment = {}

/** The APIs served by users' servers. An APIService cannot take over a version that this server serves itself. */
export class AggregatedApis {
  readonly #options: AggregatedApisOptions
  readonly #reach: AddressGuard
  readonly #connected = new Map<string, Connected>()
  readonly #resources = new KnownResources()
  /** Their servers' OpenAPI 2 documents. */
  readonly documents = new KnownDocuments()
  readonly #listeners = new Set<() => void>()
  readonly #unsubscribe: () => void

  constructor(options: AggregatedApisOptions) {
    const { services, reach } = options
    this.#options = options
    const resolveService = reach.services(services.engine)
    this.#reach = new AddressGuard({ addresses: reach.addresses, resolveService, nothing: 'no aggregated API' })
    this.#unsubscribe = services.cache.listen((events) => {
      for (const { type, document } of events) {
        const isLocal = (document.object as APIService).spec.service === undefined
        if (type === 'DELETED' || isLocal) this.#forget(document.name)
      }
      this.#tell()
    })
  }

  /** Called when the set of APIs changes, or when one of them serves different resources. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  find(group: string, version: string): AggregatedApi | undefined {
    // Called for every request: a version served here does not need its APIService to be read.
    if (this.#options.isOwn(group, version)) return undefined
    const document = this.#options.services.cache.get({ namespace: '', name: `${version}.${group}` })
    const api = document && this.#apiOf(document.object as APIService)
    // Both group and version may contain dots: the name may stand for another pair.
    return api?.group === group && api.version === version ? api : undefined
  }

  /** In order of priority. */
  all(): readonly AggregatedApi[] {
    const documents = [...this.#options.services.cache.current().values()]
    const objects = documents.map(({ object }) => object as APIService).toSorted(byPriority)
    return objects.map((object) => this.#apiOf(object)).filter((api) => api !== undefined)
  }

  /** Records what the server of an API reports to serve. */
  learn(name: string, resources: readonly AggregatedResource[]): void {
    if (this.#resources.learn(name, resources)) this.#tell()
  }

  /** Throws an Error that says why there is no route to the server. */
  forward(object: APIService, request: ForwardRequest): Promise<ForwardAnswer> {
    return this.#forwarderTo(object).forward(request)
  }

  close(): void {
    this.#unsubscribe()
    for (const { forwarder } of this.#connected.values()) forwarder.close()
    this.#connected.clear()
  }

  #apiOf(object: APIService): AggregatedApi | undefined {
    const { group = '', version = '', service } = object.spec
    const { name = '' } = object.metadata
    if (service === undefined || this.#options.isOwn(group, version)) return undefined
    return {
      name,
      group,
      version,
      isAvailable: availability(object)?.status === 'True',
      resources: this.#resources.of(name),
      v2: this.documents.of(name)?.document,
      forward: (request) => this.forward(object, request),
    }
  }

  #forwarderTo({ metadata, spec }: APIService): ClosableForwarder {
    const { namespace = '', name: service = '', port } = spec.service ?? {}
    const reference = { namespace, name: service, ...(port !== undefined && { port }) }
    const server = this.#reach.ofService(reference)
    const { caBundle = '', insecureSkipTLSVerify = false } = spec
    const madeFor = [server.at.href, server.mayBeInside, namespace, service, caBundle, insecureSkipTLSVerify]
    const { name = '' } = metadata
    const known = this.#connected.get(name)
    if (known !== undefined && deepEqual(known.madeFor, madeFor)) return known.forwarder
    known?.forwarder.close()
    const authority = Buffer.from(caBundle, 'base64').toString('utf8')
    const trust = authority === '' ? ({ mode: 'system' } as const) : ({ mode: 'authority', authority } as const)
    const forwarder = createHttpsForwarder(
      {
        url: server.at,
        trust: insecureSkipTLSVerify ? { mode: 'unverified' } : trust,
        serverName: `${service}.${namespace}.svc`,
        lookup: this.#reach.lookup(server),
        credentials: {
          headers: async () => ({}),
          clientCertificate: async () => this.#options.frontProxy.certificate,
          refused: () => false,
        },
      },
      noEnvironment,
    )
    this.#connected.set(name, { madeFor, forwarder })
    return forwarder
  }

  #forget(name: string): void {
    this.#connected.get(name)?.forwarder.close()
    this.#connected.delete(name)
    this.#resources.forget(name)
    this.documents.forget(name)
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}

function byPriority({ spec: left }: APIService, { spec: right }: APIService): number {
  return (
    right.groupPriorityMinimum - left.groupPriorityMinimum ||
    ((left.group ?? '') < (right.group ?? '') ? -1 : left.group === right.group ? 0 : 1) ||
    right.versionPriority - left.versionPriority
  )
}
