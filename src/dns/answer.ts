import { familyOf } from '../api/core/addresses/ip-address.ts'
import { addressKey, addressKeyOf, isInner, reversedAddress, undashed } from './address.ts'
import type {
  DnsAnswer,
  DnsPort,
  DnsQuestion,
  DnsRecord,
  DnsZone,
  NamedEndpoint,
  NamedService,
  NameSource,
} from './contract.ts'

const ttl = 5
/** More than any client uses of one answer. */
const mostRecords = 500
const noName = { outcome: 'no name' } as const
const noData = { outcome: 'no data' } as const

export type AnswerForClient = Exclude<DnsAnswer, { outcome: 'own name' }>

/** The virtual cluster's answer to a question, as specified by DNS-based service discovery 1.1. */
export function nameAnswer(question: DnsQuestion, zone: DnsZone, source: NameSource): DnsAnswer {
  const name = question.name.toLowerCase()
  if (isBelow(name, 'arpa')) return reverse(question, name, zone, source)
  if (isBelow(name, zone.domain)) return inZone(question, labelsBelow(name, zone.domain), zone, source)
  return isBelow(name, zone.hostDomain) ? noName : { outcome: 'elsewhere' }
}

/**
 * The answer for one client. A Pod may always look up its own name, which a kubelet writes into `/etc/hosts`: a program
 * that does so when it starts is not ready, so no Service has it as an endpoint yet.
 */
export function answerFor(client: string, question: DnsQuestion, answer: DnsAnswer): AnswerForClient {
  if (answer.outcome !== 'own name') return answer
  const asking = addressKey(client)
  const own = answer.pods.find((pod) => pod.some((address) => addressKey(address) === asking))
  return own === undefined ? noName : addresses(question, own)
}

/** Added to every negative answer, for resolvers that cache it. */
export function startOfAuthority({ domain }: DnsZone): DnsRecord {
  const data = {
    mname: `ns.dns.${domain}`,
    rname: `hostmaster.${domain}`,
    serial: 1,
    refresh: 7_200,
    retry: 1_800,
    expire: 86_400,
    minimum: ttl,
  }
  return { name: domain, type: 'SOA', ttl, data }
}

/** Whether the name belongs to the cluster of the host, not to the virtual one if both have the same domain. */
export function isNameOfHost(name: string, { domain, hostDomain }: DnsZone): boolean {
  const lower = name.toLowerCase()
  return isBelow(lower, hostDomain) || isBelow(lower, domain)
}

function isBelow(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`)
}

function labelsBelow(name: string, domain: string): readonly string[] {
  return name === domain ? [] : name.slice(0, -domain.length - 1).split('.')
}

/** Answers only for the tenant's own addresses. The owners of other inner addresses are not revealed to the tenant. */
function reverse({ name, type }: DnsQuestion, lower: string, { domain }: DnsZone, source: NameSource): DnsAnswer {
  const address = reversedAddress(lower)
  if (address === undefined) return noName
  const own = source.nameAt(addressKeyOf(address))
  if (own === undefined) return isInner(address) ? noName : { outcome: 'elsewhere' }
  return type === 'PTR' ? records([{ name, type, ttl, data: `${own}.${domain}` }]) : noData
}

function inZone(question: DnsQuestion, labels: readonly string[], zone: DnsZone, source: NameSource): DnsAnswer {
  if (labels.length === 0) return ofApex(question, zone)
  switch (labels.at(-1)) {
    case 'svc':
      return ofServices(question, labels.slice(0, -1), zone, source)
    case 'pod':
      return ofPods(question, labels.slice(0, -1), source)
    case 'dns-version':
      return labels.length > 1 ? noName : ofVersion(question)
    default:
      return noName
  }
}

function ofApex({ name, type }: DnsQuestion, zone: DnsZone): DnsAnswer {
  if (type === 'SOA') return records([{ ...startOfAuthority(zone), name }])
  return type === 'NS' ? records([{ name, type, ttl, data: `ns.dns.${zone.domain}` }]) : noData
}

function ofVersion({ name, type }: DnsQuestion): DnsAnswer {
  return type === 'TXT' ? records([{ name, type, ttl, data: '1.1.0' }]) : noData
}

/** `10-0-0-7.shop.pod`, for existing Pods. */
function ofPods(question: DnsQuestion, labels: readonly string[], source: NameSource): DnsAnswer {
  const [namespace, label, ...more] = labels.toReversed()
  if (namespace === undefined) return noData
  if (label === undefined) return source.hasNamespace(namespace) ? noData : noName
  const address = more.length === 0 ? undashed(label) : undefined
  if (address === undefined || !source.hasPod(namespace, addressKey(address) ?? '')) return noName
  return addresses(question, [address])
}

function ofServices(question: DnsQuestion, labels: readonly string[], zone: DnsZone, source: NameSource): DnsAnswer {
  const [namespace, name, ...more] = labels.toReversed()
  if (namespace === undefined) return noData
  if (name === undefined) return source.hasNamespace(namespace) ? noData : noName
  const service = source.service(namespace, name)
  const [first, second] = more
  if (more.length > 2) return noName
  if (service === undefined) return more.length === 1 ? ofPodItself(source, namespace, name, first ?? '') : noName
  const asked: AskedService = { question, service, zone, namespace, name, source }
  if (first === undefined) return ofService(asked)
  if (second !== undefined) return ofPort(asked, second, first)
  return first.startsWith('_') ? noData : ofEndpoint(asked, first)
}

interface AskedService {
  readonly question: DnsQuestion
  readonly service: NamedService
  readonly zone: DnsZone
  readonly namespace: string
  readonly name: string
  readonly source: NameSource
}

function ofService(asked: AskedService): DnsAnswer {
  const { question, service, namespace, name, source } = asked
  switch (service.form) {
    case 'alias':
      return ofAlias(question, service.target)
    case 'address':
      return question.type === 'SRV' ? targets(asked, service.ports, service) : addresses(question, service.addresses)
    case 'headless': {
      const { all } = source.endpoints(namespace, name)
      if (question.type === 'SRV') return endpointTargets(asked, all, () => true)
      return addresses(question, addressesOf(all))
    }
  }
}

/** The addresses of an alias are found by looking up its target. */
function ofAlias({ name, type }: DnsQuestion, target: string): DnsAnswer {
  const record: DnsRecord = { name, type: 'CNAME', ttl, data: target }
  if (type === 'CNAME') return records([record])
  return type === 'A' || type === 'AAAA' ? { outcome: 'alias', record, target } : noData
}

/** `_http._tcp.web.shop.svc` */
function ofPort(asked: AskedService, port: string, protocol: string): DnsAnswer {
  const { question, service, namespace, name, source } = asked
  if (!port.startsWith('_') || !protocol.startsWith('_') || service.form === 'alias') return noName
  const isAsked = (each: DnsPort) =>
    each.name.toLowerCase() === port.slice(1) && each.protocol.toLowerCase() === protocol.slice(1)
  if (!service.ports.some(isAsked)) return noName
  if (question.type !== 'SRV') return noData
  if (service.form === 'address') return targets(asked, service.ports.filter(isAsked), service)
  return endpointTargets(asked, source.endpoints(namespace, name).all, isAsked)
}

/** A Pod of a headless Service by its own name. */
function ofEndpoint(asked: AskedService, hostname: string): DnsAnswer {
  const { question, service, namespace, name, source } = asked
  const found = service.form === 'headless' ? source.endpoints(namespace, name).byHostname.get(hostname) : undefined
  if (found === undefined) return ofPodItself(source, namespace, name, hostname)
  if (question.type === 'SRV') return endpointTargets(asked, found, () => true)
  return addresses(question, addressesOf(found))
}

function ofPodItself(source: NameSource, namespace: string, subdomain: string, hostname: string): DnsAnswer {
  const pods = source.podsNamed(namespace, subdomain, hostname)
  return pods.length === 0 ? noName : { outcome: 'own name', pods }
}

function targets(
  { question, namespace, name, zone }: AskedService,
  ports: readonly DnsPort[],
  service: NamedService & { readonly form: 'address' },
): DnsAnswer {
  const target = `${name}.${namespace}.svc.${zone.domain}`
  const answered = ports.slice(0, mostRecords)
  return records(
    answered.map(({ port }) => targetRecord(question.name, target, port, answered.length)),
    service.addresses.map((address) => addressRecord(target, address)),
  )
}

function endpointTargets(
  { question, namespace, name, zone }: AskedService,
  endpoints: readonly NamedEndpoint[],
  isAsked: (port: DnsPort) => boolean,
): DnsAnswer {
  const found: { readonly target: string; readonly port: number; readonly address: string }[] = []
  // All endpoints of a slice have the same list of ports.
  const askedIn = remembering((ports: readonly DnsPort[]) => ports.filter(isAsked))
  for (const { hostname, address, ports } of endpoints) {
    const target = `${hostname}.${name}.${namespace}.svc.${zone.domain}`
    const room = mostRecords - found.length
    for (const { port } of askedIn(ports).slice(0, room)) found.push({ target, port, address })
    if (found.length >= mostRecords) break
  }
  return records(
    found.map(({ target, port }) => targetRecord(question.name, target, port, found.length)),
    found.map(({ target, address }) => addressRecord(target, address)),
  )
}

function remembering<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const value = compute(key)
    known.set(key, value)
    return value
  }
}

/** All targets have the same weight. */
function targetRecord(name: string, target: string, port: number, count: number): DnsRecord {
  return { name, type: 'SRV', ttl, data: { target, port, priority: 0, weight: Math.max(1, Math.floor(100 / count)) } }
}

/** Reads no more addresses than the answer can contain, however many there are. */
function addresses({ name, type }: DnsQuestion, all: Iterable<string>): AnswerForClient {
  if (type !== 'A' && type !== 'AAAA') return noData
  const found: DnsRecord[] = []
  for (const address of all) {
    const record = addressRecord(name, address)
    if (record.type === type) found.push(record)
    if (found.length >= mostRecords) break
  }
  return records(found)
}

function* addressesOf(endpoints: readonly NamedEndpoint[]): Generator<string> {
  for (const { address } of endpoints) yield address
}

function addressRecord(name: string, address: string): DnsRecord {
  return { name, type: familyOf(address) === 'IPv4' ? 'A' : 'AAAA', ttl, data: address }
}

function records(found: readonly DnsRecord[], more: readonly DnsRecord[] = []): AnswerForClient {
  if (found.length === 0) return noData
  return { outcome: 'records', records: found.slice(0, mostRecords), more: more.slice(0, mostRecords) }
}
