/** A question. The name is as the client wrote it, without a trailing dot. */
export interface DnsQuestion {
  readonly name: string
  /** For example `A`. */
  readonly type: string
}

export interface ServiceTarget {
  readonly target: string
  readonly port: number
  readonly priority: number
  readonly weight: number
}

export interface DnsRecord {
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'NS' | 'PTR' | 'SOA' | 'SRV' | 'TXT'
  readonly ttl: number
  readonly data: string | ServiceTarget | Readonly<Record<string, string | number>>
}

/** The virtual cluster's answer to a question. */
export type DnsAnswer =
  | { readonly outcome: 'records'; readonly records: readonly DnsRecord[]; readonly more?: readonly DnsRecord[] }
  /** The name is an alias, whose target must be looked up. */
  | { readonly outcome: 'alias'; readonly record: DnsRecord; readonly target: string }
  /** The name exists, but has no record of that type. */
  | { readonly outcome: 'no data' }
  | { readonly outcome: 'no name' }
  /** Pods of that name, each with its addresses. To all other clients, there is no such name. */
  | { readonly outcome: 'own name'; readonly pods: readonly (readonly string[])[] }
  /** The question is not about the virtual cluster. */
  | { readonly outcome: 'elsewhere' }

export interface DnsPort {
  readonly name: string
  readonly port: number
  readonly protocol: string
}

export type NamedService =
  | { readonly form: 'address'; readonly addresses: readonly string[]; readonly ports: readonly DnsPort[] }
  | { readonly form: 'headless'; readonly ports: readonly DnsPort[] }
  | { readonly form: 'alias'; readonly target: string }

/** An address of a headless Service, and its name below the Service's. */
export interface NamedEndpoint {
  readonly hostname: string
  readonly address: string
  readonly ports: readonly DnsPort[]
}

export interface EndpointTable {
  readonly all: readonly NamedEndpoint[]
  readonly byHostname: ReadonlyMap<string, readonly NamedEndpoint[]>
}

/** The names of the virtual cluster. Every lookup takes constant time. */
export interface NameSource {
  /** Whether everything is loaded; before that, no question can be answered. */
  readonly isComplete: boolean
  /** Changes whenever something has changed. */
  readonly version: number
  service(namespace: string, name: string): NamedService | undefined
  endpoints(namespace: string, name: string): EndpointTable
  hasNamespace(namespace: string): boolean
  hasPod(namespace: string, address: string): boolean
  /** The addresses of each Pod with that hostname and subdomain. */
  podsNamed(namespace: string, subdomain: string, hostname: string): readonly (readonly string[])[]
  /** The name, without the domain, of the owner of an address; the address as `addressKey` writes it. */
  nameAt(addressKey: string): string | undefined
}

export interface DnsZone {
  /** The domain of the virtual cluster. */
  readonly domain: string
  /** The domain of the host, whose names are not for the tenant. */
  readonly hostDomain: string
}
