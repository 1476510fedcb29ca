import { notAcceptable, unlisted } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { Exchange } from '../exchange.ts'
import { headerOf } from '../http.ts'

/** The form of an answer. */
export type MediaType = TextMedia | ProtobufMedia

/** `as` is a view that the server derives from the object. */
export interface TextMedia {
  readonly format: 'json' | 'yaml'
  readonly as: '' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** The version of meta.k8s.io, for views. */
  readonly version: 'v1' | 'v1beta1'
  readonly pretty: boolean
}

/** Tables have no protobuf form, and only the current version of other views has one. */
export interface ProtobufMedia {
  readonly format: 'protobuf'
  readonly as: '' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  readonly version: 'v1'
}

export const plainJson: TextMedia = { format: 'json', as: '', version: 'v1', pretty: false }

const mediaTypes = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
const watchMediaTypes = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch'

type Negotiable = Pick<Kind, 'protobufMessage' | 'flavor'>

/** The form for an object with views: Table, PartialObjectMetadata. */
export function negotiateView(exchange: Exchange, kind: Negotiable): MediaType {
  requireListedIf(kind.flavor === 'builtin', exchange)
  return negotiated(exchange, hasProtobuf(kind) ? builtinChoices : customChoices, mediaTypes)
}

/**
 * The same for a watch. YAML is not possible there, because nothing would separate its documents, and no Table for a watch that
 * begins like a list.
 */
export function negotiateWatch(exchange: Exchange, kind: Negotiable, isLikeList: boolean): MediaType {
  requireListedIf(kind.flavor === 'builtin', exchange)
  const [whole, stream] = (isLikeList ? likeListChoices : watchChoices)[hasProtobuf(kind) ? 'builtin' : 'custom']
  const isMade = choose(exchange.request.headers.accept, whole) !== undefined
  return negotiated(exchange, stream, isMade ? watchMediaTypes : mediaTypes)
}

/** The form for an answer of Kubernetes that has no views. */
export function negotiatePlain(exchange: Exchange): MediaType {
  return negotiated(exchange, plainChoices, mediaTypes)
}

/** The same at a path of Kubernetes' own kinds. */
export function negotiateListed(exchange: Exchange): MediaType {
  requireListedIf(true, exchange)
  return negotiatePlain(exchange)
}

/** There, media types are first compared by their full names, so `application/*` matches nothing. */
function requireListedIf(isBuiltin: boolean, { request, info }: Exchange): void {
  const { accept } = request.headers
  if (!isBuiltin || accept === undefined || accept === '' || isListed(accept, mediaTypes)) return
  throw unlisted(info.verb === 'list' || info.verb === 'watch' ? `${mediaTypes}, ${watchMediaTypes}` : mediaTypes)
}

/** For answers that exist only as JSON. */
export function requireJson({ request }: Exchange): void {
  const { accept } = request.headers
  if (accept !== undefined && accept !== '' && !isListed(accept, plainJsonType)) throw unlisted(plainJsonType)
}

const plainJsonType = 'application/json'

function isListed(accept: string, available: string): boolean {
  if (accept === plainJsonType || accept === '*/*') return true
  return accept.split(',').some((clause) => {
    const semicolon = clause.indexOf(';')
    const type = (semicolon < 0 ? clause : clause.slice(0, semicolon)).trim()
    return type === '*/*' || available.split(', ').includes(type)
  })
}

/** For answers without a protobuf form. */
export function negotiateText(exchange: Exchange): TextMedia {
  const media = negotiated(exchange, textChoices, mediaTypes)
  return media.format === 'protobuf' ? plainJson : media
}

/** The form for an error, which is sent even to a client that accepts nothing. */
export function negotiateError(exchange: Exchange): MediaType {
  const choice = choose(headerOf(exchange.request, 'accept'), plainChoices)
  if (choice?.format === 'protobuf') return choice
  const { format } = choice ?? plainJson
  return { ...plainJson, format, pretty: choice === undefined || wantsIndent(exchange) }
}

function hasProtobuf({ protobufMessage }: Pick<Kind, 'protobufMessage'>): boolean {
  return protobufMessage !== undefined
}

function negotiated(exchange: Exchange, choices: Choices, accepted: string): MediaType {
  const choice = choose(exchange.request.headers.accept, choices)
  if (choice === undefined) throw notAcceptable(`only the following media types are accepted: ${accepted}`)
  return choice.format !== 'protobuf' && wantsIndent(exchange) ? { ...choice, pretty: true } : choice
}

const browserAgents = ['curl', 'Wget', 'Mozilla/5.0']

function wantsIndent(exchange: Exchange): boolean {
  const asked = exchange.info.query.get('pretty')
  if (asked !== undefined && asked !== '') return ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(asked)
  const agent = exchange.request.headers['user-agent']
  return agent !== undefined && browserAgents.some((prefix) => agent.startsWith(prefix))
}

/** The forms to choose from. */
export interface AnswerForms {
  readonly views: 'all' | 'no tables' | 'none'
  readonly hasYaml: boolean
  /** For custom kinds, only the views have a protobuf form. */
  readonly protobuf: 'all' | 'views' | 'none'
}

/** Accept headers repeat literally between requests, so decisions are cached. */
interface Choices {
  readonly offer: AnswerForms
  readonly known: Map<string, MediaType | undefined>
}

const builtinChoices = choicesOf({ views: 'all', hasYaml: true, protobuf: 'all' })
const customChoices = choicesOf({ views: 'all', hasYaml: true, protobuf: 'views' })
const watchChoices = {
  builtin: [builtinChoices, choicesOf({ views: 'all', hasYaml: false, protobuf: 'all' })],
  custom: [customChoices, choicesOf({ views: 'all', hasYaml: false, protobuf: 'views' })],
} as const
const likeListChoices = {
  builtin: [
    choicesOf({ views: 'no tables', hasYaml: true, protobuf: 'all' }),
    choicesOf({ views: 'no tables', hasYaml: false, protobuf: 'all' }),
  ],
  custom: [
    choicesOf({ views: 'no tables', hasYaml: true, protobuf: 'views' }),
    choicesOf({ views: 'no tables', hasYaml: false, protobuf: 'views' }),
  ],
} as const
const plainChoices = choicesOf({ views: 'none', hasYaml: true, protobuf: 'all' })
const textChoices = choicesOf({ views: 'none', hasYaml: true, protobuf: 'none' })
const mostKnown = 256
/** Media types of a header, and parameters of one, that are read: no client sends as many. */
const mostParts = 64

function choicesOf(offer: AnswerForms): Choices {
  return { offer, known: new Map() }
}

function choose(accept: string | undefined, choices: Choices): MediaType | undefined {
  if (accept === undefined || accept === 'application/json' || accept === '*/*' || accept === '') return plainJson
  const known = choices.known.get(accept)
  if (known !== undefined || choices.known.has(accept)) return known
  const choice = chooseMediaType(accept, choices.offer)
  if (choices.known.size >= mostKnown) choices.known.clear()
  if (accept.length <= 1024) choices.known.set(accept, choice)
  return choice
}

/** Undefined when none of the accepted forms is available. */
export function chooseMediaType(accept: string, offer: AnswerForms): MediaType | undefined {
  for (const clause of parseAccept(accept)) {
    const media = mediaTypeFor(clause, offer)
    if (media !== undefined) return media
  }
  return undefined
}

export interface AcceptClause {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly quality: number
}

/** Best first: by quality, where zero is the lowest, then named types before wildcards, then as written. */
export function parseAccept(accept: string): readonly AcceptClause[] {
  return accept
    .split(',', mostParts)
    .map(parseClause)
    .filter((clause) => clause.type !== '')
    .sort((left, right) => right.quality - left.quality || wildcards(left) - wildcards(right))
}

function wildcards({ type }: AcceptClause): number {
  if (type === '*/*') return 2
  return type.endsWith('/*') ? 1 : 0
}

function parseClause(text: string): AcceptClause {
  const [type = '', ...rest] = text.split(';', mostParts)
  const parameters = new Map(rest.map(parseParameter))
  const quality = Number(parameters.get('q') ?? '1')
  return { type: type.trim().toLowerCase(), parameters, quality: Number.isNaN(quality) ? 1 : quality }
}

function parseParameter(text: string): readonly [string, string] {
  const equals = text.indexOf('=')
  return equals < 0 ? [text.trim(), ''] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()]
}

function mediaTypeFor({ type, parameters }: AcceptClause, offer: AnswerForms): MediaType | undefined {
  const format = formatOf(type)
  const view = viewIn(parameters)
  if (format === undefined || view === undefined || !isOffered(view.as, offer)) return undefined
  if (format === 'protobuf') return protobufMedia(view, offer)
  if (format === 'yaml' && !offer.hasYaml) return undefined
  return { format, ...view, pretty: parameters.get('pretty') === '1' }
}

function isOffered(as: TextMedia['as'], { views }: AnswerForms): boolean {
  return as === '' || views === 'all' || (views === 'no tables' && as !== 'Table')
}

type AskedView = Pick<TextMedia, 'as' | 'version'>

/** Undefined for an unknown view. */
function viewIn(parameters: AcceptClause['parameters']): AskedView | undefined {
  const as = parameters.get('as') ?? ''
  const version = parameters.get('v')
  if (as === '' && !parameters.has('g') && version === undefined) return { as, version: 'v1' }
  const isKnown = isView(as) && parameters.get('g') === 'meta.k8s.io'
  return isKnown && (version === 'v1' || version === 'v1beta1') ? { as, version } : undefined
}

function protobufMedia({ as, version }: AskedView, { protobuf }: AnswerForms): ProtobufMedia | undefined {
  if (as === 'Table' || version !== 'v1' || protobuf === 'none' || (protobuf === 'views' && as === '')) return undefined
  return { format: 'protobuf', as, version }
}

function formatOf(type: string): MediaType['format'] | undefined {
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return 'json'
    case 'application/yaml':
      return 'yaml'
    case 'application/vnd.kubernetes.protobuf':
      return 'protobuf'
    default:
      return undefined
  }
}

function isView(as: string): as is 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' {
  return as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList'
}
