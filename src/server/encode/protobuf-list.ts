import { protobufList } from '../../api/encode/protobuf.ts'
import { timeout } from '../../api/error.ts'
import type { LongWork } from '../../base/pace.ts'
import type { Document, ListAnswer } from '../../registry/contract.ts'
import type { Response } from '../http.ts'
import { protobufHeaders, protobufResponse } from '../responses/responses.ts'
import { isShortList, listMetadata } from './list-metadata.ts'
import { type ProtobufView, protobufListItem } from './protobuf-view.ts'

/** How much of the encoding done to determine the list's length is kept; the rest is encoded again when it is sent. */
const keptBytes = 4 * 1024 * 1024
const pieceBytes = 64 * 1024

interface MeasuredList {
  /** The length of all items. */
  readonly byteLength: number
  /** The first items, encoded. */
  readonly kept: readonly Uint8Array[]
}

/**
 * A list in protobuf begins with its length, which is known only after all items have been encoded. A long list is
 * encoded in time slices of its caller.
 */
export async function protobufListResponse(view: ProtobufView, answer: ListAnswer, work: LongWork): Promise<Response> {
  const { documents } = answer
  const type = { apiVersion: view.apiVersion, kind: view.listKind }
  if (isShortList(documents)) {
    const items = documents.map((document) => protobufListItem(view, document))
    const { opening, closing } = protobufList(type, listMetadata(answer), lengthOf(items))
    return protobufResponse(200, Buffer.concat([opening, ...items, closing]))
  }
  const { byteLength, kept } = await measured(view, documents, work)
  const { opening, closing } = protobufList(type, listMetadata(answer), byteLength)
  const rest = documents.slice(kept.length)
  return {
    status: 200,
    headers: protobufHeaders,
    body: {
      form: 'pieces',
      byteLength: opening.length + byteLength + closing.length,
      pieces: piecesOf(inOrder(opening, kept, view, rest, closing), work),
    },
  }
}

function lengthOf(items: readonly Uint8Array[]): number {
  return items.reduce((sum, { length }) => sum + length, 0)
}

async function measured(view: ProtobufView, documents: readonly Document[], work: LongWork): Promise<MeasuredList> {
  const { pacing, signal } = work
  const kept: Uint8Array[] = []
  let byteLength = 0
  let isKept = true
  for (const document of documents) {
    if (pacing.isDue()) await pacing.rest()
    if (signal.aborted) throw timeout('the caller no longer waits for the list')
    const item = protobufListItem(view, document)
    byteLength += item.length
    isKept &&= byteLength <= keptBytes
    if (isKept) kept.push(item)
  }
  return { byteLength, kept }
}

function* inOrder(
  opening: Uint8Array,
  kept: readonly Uint8Array[],
  view: ProtobufView,
  rest: readonly Document[],
  closing: Uint8Array,
): Generator<Uint8Array> {
  yield opening
  yield* kept
  for (const document of rest) yield protobufListItem(view, document)
  yield closing
}

/** The receiver takes each piece before the next one is made. */
async function* piecesOf(parts: Iterable<Uint8Array>, { pacing }: LongWork): AsyncGenerator<Buffer> {
  let piece: Uint8Array[] = []
  let bytes = 0
  for (const part of parts) {
    piece.push(part)
    bytes += part.length
    if (bytes >= pieceBytes) {
      yield Buffer.concat(piece)
      piece = []
      bytes = 0
    }
    if (pacing.isDue()) await pacing.rest()
  }
  yield Buffer.concat(piece)
}
