/** What is asked. The name is as the client wrote it, without a dot at the end. */
export interface DnsQuestion {
  readonly name: string
  /** Such as `A`. */
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

/** What the virtual cluster says to a question. */
export type DnsAnswer =
  | { readonly outcome: 'records'; readonly records: readonly DnsRecord[]; readonly more?: readonly DnsRecord[] }
  /** The name stands for another one, which has to be looked up. */
  | { readonly outcome: 'alias'; readonly record: DnsRecord; readonly target: string }
  /** The name is there, and nothing of that type. */
  | { readonly outcome: 'no data' }
  | { readonly outcome: 'no name' }
  /** It is not about the virtual cluster. */
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

/** An address of a headless Service, and the name that it has below the Service's. */
export interface NamedEndpoint {
  readonly hostname: string
  readonly address: string
  readonly ports: readonly DnsPort[]
}

export interface EndpointTable {
  readonly all: readonly NamedEndpoint[]
  readonly byHostname: ReadonlyMap<string, readonly NamedEndpoint[]>
}

/** What the virtual cluster has. Every look-up takes the same time, however much there is. */
export interface NameSource {
  /** Before that nothing can be said. */
  readonly isComplete: boolean
  /** Another one whenever something has changed. */
  readonly version: number
  service(namespace: string, name: string): NamedService | undefined
  endpoints(namespace: string, name: string): EndpointTable
  hasNamespace(namespace: string): boolean
  hasPod(namespace: string, address: string): boolean
  /** The name, without the domain, of what has an address; the address as `addressKey` writes it. */
  nameAt(addressKey: string): string | undefined
}

export interface DnsZone {
  /** Of the virtual cluster. */
  readonly domain: string
  /** Of the host: its names are not the tenant's to look up. */
  readonly hostDomain: string
}
