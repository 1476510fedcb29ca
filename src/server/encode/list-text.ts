import { toYaml } from '../../base/json/to-yaml.ts'
import type { Pacing } from '../../base/pace.ts'
import type { Document } from '../../registry/contract.ts'
import type { Response, ResponseBody } from '../http.ts'
import type { TextMedia } from '../request/negotiate.ts'
import { jsonHeaders, yamlHeaders } from '../responses/responses.ts'
import { Indenter } from './indent.ts'
import { isShortList } from './list-metadata.ts'
import { jsonTextResponse, longestYaml, yamlOf } from './value.ts'

/** A list as JSON text: the opening ends with the bracket of its items; the closing is always the same. */
export interface ListText {
  readonly opening: string
  /** The member that holds the items. */
  readonly member: 'items' | 'rows'
  /** What an empty list shows. */
  readonly empty: '[]' | 'null'
  readonly item: (document: Document) => string
}

const closing = ']}'
const pieceLength = 64 * 1024

/** A list whose items must be encoded one by one; a long one while it is sent. */
export function listTextResponse(
  list: ListText,
  documents: readonly Document[],
  media: TextMedia,
  pacing: Pacing,
): Response {
  if (documents.length === 0) return jsonTextResponse(200, `${list.opening.slice(0, -1)}${list.empty}}`, media)
  if (isShortList(documents)) {
    return jsonTextResponse(200, `${list.opening}${documents.map(list.item).join(',')}${closing}`, media)
  }
  const headers = media.format === 'yaml' ? yamlHeaders : jsonHeaders
  return { status: 200, headers, body: slicedBody(textsOf(list, documents, media), pacing) }
}

function slicedBody(texts: Iterable<string>, pacing: Pacing): ResponseBody {
  return { form: 'pieces', byteLength: undefined, pieces: piecesOf(texts, pacing) }
}

/** The receiver takes each piece before the next one is made. */
async function* piecesOf(texts: Iterable<string>, pacing: Pacing): AsyncGenerator<Buffer> {
  let piece = ''
  await pacing.rest()
  for (const text of texts) {
    piece += text
    if (piece.length >= pieceLength) {
      yield Buffer.from(piece)
      piece = ''
    }
    if (pacing.isDue()) await pacing.rest()
  }
  yield Buffer.from(piece)
}

function textsOf(list: ListText, documents: readonly Document[], media: TextMedia): Iterable<string> {
  if (media.format === 'yaml') return yamlTexts(list, documents)
  return media.pretty ? indented(jsonTexts(list, documents)) : jsonTexts(list, documents)
}

function* jsonTexts({ opening, item }: ListText, documents: readonly Document[]): Generator<string> {
  yield opening
  let separator = ''
  for (const document of documents) {
    yield separator + item(document)
    separator = ','
  }
  yield `${closing}\n`
}

function* indented(texts: Iterable<string>): Generator<string> {
  const indenter = new Indenter()
  for (const text of texts) yield indenter.indent(text)
}

/** Members are sorted, so some come before the items and some after. */
function* yamlTexts({ opening, member, item }: ListText, documents: readonly Document[]): Generator<string> {
  const frame: Readonly<Record<string, unknown>> = JSON.parse(opening + closing)
  const part = (isMeant: (name: string) => boolean) =>
    toYaml(Object.fromEntries(Object.entries(frame).filter(([name]) => isMeant(name))))
  yield part((name) => name < member)
  yield `${member}:\n`
  for (const document of documents) yield yamlItem(item(document))
  yield part((name) => name > member)
}

/** JSON is also YAML, and takes a hundredth of the time. */
function yamlItem(json: string): string {
  return json.length > longestYaml ? `- ${json}\n` : yamlOf(`[${json}]`)
}
