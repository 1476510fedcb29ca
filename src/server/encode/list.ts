import { notAcceptable } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import { apiVersionOf } from '../../api/object.ts'
import type { LongWork } from '../../base/pace.ts'
import type { Document, ListAnswer } from '../../registry/contract.ts'
import type { Response, ResponseBody } from '../http.ts'
import { type MediaType, plainJson } from '../request/negotiate.ts'
import { jsonHeaders } from '../responses/responses.ts'
import { goTypeOf } from './go-type.ts'
import { listMetadata } from './list-metadata.ts'
import { type ListText, listTextResponse } from './list-text.ts'
import { partialMetadataList } from './partial.ts'
import { protobufListResponse } from './protobuf-list.ts'
import { protobufView } from './protobuf-view.ts'
import { type TableForm, tableOf } from './table.ts'
import type { View } from './view.ts'

/** A list in the requested form. Plain JSON is assembled from shared buffers, never parsed. */
export function listResponse(
  kind: Kind,
  answer: ListAnswer,
  { media, table }: View,
  work: LongWork,
): Response | Promise<Response> {
  if (media === plainJson) return { status: 200, headers: jsonHeaders, body: listBody(kind, answer) }
  if (media.as === 'PartialObjectMetadata') {
    throw notAcceptable(
      `you requested PartialObjectMetadata, but the requested object is a list (${goTypeOf(kind)}List)`,
    )
  }
  if (media.format === 'protobuf') return protobufListResponse(protobufView(kind, media), answer, work)
  const documents = media.as === 'Table' ? inRowOrder(kind, answer.documents) : answer.documents
  return listTextResponse(listTextOf(kind, answer, media.as, table), documents, media, work.pacing)
}

function inRowOrder({ rowOrder }: Kind, documents: readonly Document[]): readonly Document[] {
  if (rowOrder === undefined) return documents
  return [...documents].sort((left, right) => rowOrder(left.object, right.object))
}

type ListView = Exclude<MediaType['as'], 'PartialObjectMetadata'>

function listTextOf(kind: Kind, answer: ListAnswer, as: ListView, table: TableForm): ListText {
  const metadata = JSON.stringify(listMetadata(answer))
  switch (as) {
    case '':
      return {
        opening: openingText(kind, answer),
        member: 'items',
        empty: '[]',
        item: ({ itemJson }) => itemJson.toString(),
      }
    case 'Table':
      return tableOf(kind, metadata, table)
    case 'PartialObjectMetadataList':
      return partialMetadataList(metadata, table.version)
  }
}

const closing = Buffer.from(']}\n')
const comma = 0x2c
/** Lists up to this size are one buffer; longer ones are sent in pieces. */
const wholeBytes = 1024 * 1024
const pieceBytes = 512 * 1024

export function listBody(kind: Kind, answer: ListAnswer): ResponseBody {
  const opening = Buffer.from(openingText(kind, answer))
  const byteLength = listLength(opening, answer.documents)
  if (byteLength <= wholeBytes) return wholeList(opening, answer.documents, byteLength)
  return { form: 'pieces', byteLength, pieces: listPieces(opening, answer.documents) }
}

/** Lists of custom resources end with an empty token; others omit it. */
function openingText(kind: Kind, answer: ListAnswer): string {
  const metadata = { ...(kind.flavor === 'custom' && { continue: '' }), ...listMetadata(answer) }
  return `{"kind":"${kind.listKind ?? `${kind.kind}List`}","apiVersion":"${apiVersionOf(kind)}","metadata":${JSON.stringify(metadata)},"items":[`
}

function listLength(opening: Buffer, documents: readonly Document[]): number {
  let length = opening.length + closing.length + Math.max(0, documents.length - 1)
  for (const { itemJson } of documents) length += itemJson.length
  return length
}

function wholeList(opening: Buffer, documents: readonly Document[], byteLength: number): Buffer {
  const body = Buffer.allocUnsafeSlow(byteLength)
  let at = opening.copy(body)
  for (const { itemJson } of documents) {
    if (at !== opening.length) body[at++] = comma
    body.set(itemJson, at)
    at += itemJson.length
  }
  closing.copy(body, at)
  return body
}

/**
 * All pieces share the same memory: with new memory for each, garbage collection would cost more than everything else
 * for a long list. An item longer than a piece becomes its own piece, shared and not copied.
 */
function* listPieces(opening: Buffer, documents: readonly Document[]): Generator<Buffer> {
  const piece = Buffer.allocUnsafeSlow(pieceBytes)
  let at = opening.copy(piece)
  let isFirst = true
  for (const { itemJson } of documents) {
    if (at + itemJson.length + 1 > pieceBytes) {
      yield lent(piece, at)
      at = 0
    }
    if (!isFirst) piece[at++] = comma
    isFirst = false
    if (itemJson.length + 1 > pieceBytes) {
      yield lent(piece, at)
      yield itemJson
      at = 0
    } else {
      piece.set(itemJson, at)
      at += itemJson.length
    }
  }
  yield lent(piece, at)
  yield closing
}

/** Streams accept a short piece at once, before it is sent, so it is copied; after a long one they ask to wait. */
const leastLent = 128 * 1024

function lent(piece: Buffer, length: number): Buffer {
  const part = piece.subarray(0, length)
  return length < leastLent ? Buffer.from(part) : part
}
