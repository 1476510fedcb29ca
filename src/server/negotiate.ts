import { notAcceptable } from '../api/error.ts'
import type { Exchange } from './exchange.ts'
import { headerOf } from './http.ts'

/** The form in which an answer leaves. `as` is a view that the server makes of the object. */
export interface MediaType {
  readonly format: 'json' | 'yaml'
  readonly as: '' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** Of the group meta.k8s.io, for views. */
  readonly version: 'v1' | 'v1beta1'
  readonly pretty: boolean
}

export const plainJson: MediaType = { format: 'json', as: '', version: 'v1', pretty: false }

const notServed =
  'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf'

/** The form for an object that has views: Table, PartialObjectMetadata. */
export function negotiateView(exchange: Exchange): MediaType {
  return negotiated(exchange, viewChoices)
}

/** The form for an object that is only sent as it is. */
export function negotiatePlain(exchange: Exchange): MediaType {
  return negotiated(exchange, plainChoices)
}

/** The form for an error, which must go out even to a client that accepts nothing. */
export function negotiateError(exchange: Exchange): MediaType {
  const choice = choose(headerOf(exchange.request, 'accept'), viewChoices)
  const { format } = choice ?? plainJson
  return { ...plainJson, format, pretty: choice === undefined || wantsIndent(exchange) }
}

function negotiated(exchange: Exchange, choices: Choices): MediaType {
  const choice = choose(exchange.request.headers.accept, choices)
  if (choice === undefined) throw notAcceptable(notServed)
  return wantsIndent(exchange) ? { ...choice, pretty: true } : choice
}

const browserAgents = ['curl', 'Wget', 'Mozilla/5.0']

function wantsIndent(exchange: Exchange): boolean {
  const asked = exchange.info.query.get('pretty')
  if (asked !== undefined && asked !== '') return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(asked)
  const agent = exchange.request.headers['user-agent']
  return agent !== undefined && browserAgents.some((prefix) => agent.startsWith(prefix))
}

/** Accept headers repeat word for word from request to request: what was decided once is kept. */
interface Choices {
  readonly views: boolean
  readonly known: Map<string, MediaType | undefined>
}

const viewChoices: Choices = { views: true, known: new Map() }
const plainChoices: Choices = { views: false, known: new Map() }
const mostKnown = 256

function choose(accept: string | undefined, choices: Choices): MediaType | undefined {
  if (accept === undefined || accept === 'application/json' || accept === '*/*' || accept === '') return plainJson
  const known = choices.known.get(accept)
  if (known !== undefined || choices.known.has(accept)) return known
  const choice = chooseMediaType(accept, choices.views)
  if (choices.known.size >= mostKnown) choices.known.clear()
  if (accept.length <= 1024) choices.known.set(accept, choice)
  return choice
}

/** Undefined when nothing that is accepted can be made. */
export function chooseMediaType(accept: string, views: boolean): MediaType | undefined {
  for (const clause of parseAccept(accept)) {
    const media = mediaTypeFor(clause, views)
    if (media !== undefined) return media
  }
  return undefined
}

export interface AcceptClause {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly quality: number
}

/** Best first: by quality, then a named type before a wildcard, then as written. */
export function parseAccept(accept: string): readonly AcceptClause[] {
  return accept
    .split(',', 64)
    .map(parseClause)
    .filter((clause) => clause.type !== '' && clause.quality > 0)
    .sort((left, right) => right.quality - left.quality || wildcards(left) - wildcards(right))
}

function wildcards({ type }: AcceptClause): number {
  if (type === '*/*') return 2
  return type.endsWith('/*') ? 1 : 0
}

function parseClause(text: string): AcceptClause {
  const [type = '', ...rest] = text.split(';')
  const parameters = new Map(rest.map(parseParameter))
  const quality = Number(parameters.get('q') ?? '1')
  return { type: type.trim().toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality }
}

function parseParameter(text: string): readonly [string, string] {
  const equals = text.indexOf('=')
  return equals < 0 ? [text.trim(), ''] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()]
}

function mediaTypeFor({ type, parameters }: AcceptClause, views: boolean): MediaType | undefined {
  const format = formatOf(type)
  if (format === undefined) return undefined
  const as = parameters.get('as') ?? ''
  if (as === '' && !parameters.has('g') && !parameters.has('v'))
    return { ...plainJson, format, pretty: parameters.get('pretty') === '1' }
  const version = parameters.get('v')
  const known =
    views && isView(as) && parameters.get('g') === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1')
  return known ? { format, as, version, pretty: parameters.get('pretty') === '1' } : undefined
}

function formatOf(type: string): 'json' | 'yaml' | undefined {
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return 'json'
    case 'application/yaml':
      return 'yaml'
    default:
      return undefined
  }
}

function isView(as: string): as is 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' {
  return as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
}
