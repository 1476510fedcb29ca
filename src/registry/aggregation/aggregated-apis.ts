import { availability } from '../../api/apiregistration/api-service.ts'
import type { APIService } from '../../api/types/apiregistration-v1.ts'
import { deepEqual } from '../../base/equal.ts'
import type { ForwardAnswer, ForwardRequest } from '../../client/forward/contract.ts'
import { type ClosableForwarder, createHttpsForwarder } from '../../client/forward/over-https.ts'
import type { ResourceContext } from '../context.ts'
import type { WebhookReach } from '../webhooks/contract.ts'
import { GuardedReach } from '../webhooks/guarded-reach.ts'
import type { AggregatedApi, AggregatedResource, FrontProxy } from './contract.ts'
import { KnownDocuments } from './known-documents.ts'
import { KnownResources } from './known-resources.ts'

export interface AggregatedApisOptions {
  readonly services: ResourceContext
  /** Servers of users are found, and kept from other networks, as webhooks are. */
  readonly reach: WebhookReach
  readonly frontProxy: FrontProxy
  /** A group and version that this server answers for itself. */
  readonly isOwn: (group: string, version: string) => boolean
}

interface Connected {
  /** What the forwarder was made for. */
  readonly madeFor: readonly unknown[]
  readonly forwarder: ClosableForwarder
}

const noEnvironment = {}

/** The APIs that servers of users answer for. What is served here stays served here, whatever an APIService says. */
export class AggregatedApis {
  readonly #options: AggregatedApisOptions
  readonly #reach: GuardedReach
  readonly #connected = new Map<string, Connected>()
  readonly #resources = new KnownResources()
  /** What their servers say of them in OpenAPI 2. */
  readonly documents = new KnownDocuments()
  readonly #listeners = new Set<() => void>()
  readonly #unsubscribe: () => void

  constructor(options: AggregatedApisOptions) {
    const { services, reach } = options
    this.#options = options
    const resolveService = reach.services(services.engine)
    this.#reach = new GuardedReach({ addresses: reach.addresses, resolveService, nothing: 'no aggregated API' })
    this.#unsubscribe = services.cache.listen((events) => {
      for (const { type, document } of events) {
        const isLocal = (document.object as APIService).spec.service === undefined
        if (type === 'DELETED' || isLocal) this.#forget(document.name)
      }
      this.#tell()
    })
  }

  /** Called when there are others, or they serve something else. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  find(group: string, version: string): AggregatedApi | undefined {
    // Asked with every request: what is served here needs no APIService to be read.
    if (this.#options.isOwn(group, version)) return undefined
    const document = this.#options.services.cache.get({ namespace: '', name: `${version}.${group}` })
    const api = document && this.#apiOf(document.object as APIService)
    // Both may have dots: a name may be that of another version of another group.
    return api?.group === group && api.version === version ? api : undefined
  }

  /** In the order of their priorities. */
  all(): readonly AggregatedApi[] {
    const documents = [...this.#options.services.cache.current().values()]
    const objects = documents.map(({ object }) => object as APIService).toSorted(byPriority)
    return objects.map((object) => this.#apiOf(object)).filter((api) => api !== undefined)
  }

  /** What the server of an API has said that it serves. */
  learn(name: string, resources: readonly AggregatedResource[]): void {
    if (this.#resources.learn(name, resources)) this.#tell()
  }

  /** Throws an Error that says why there is no way. */
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
