import { notAcceptable } from '../../api/error.ts'
import type { Kind } from '../../api/kind.ts'
import type { Document } from '../../registry/contract.ts'
import type { Response } from '../http.ts'
import { plainJson } from '../request/negotiate.ts'
import { jsonHeaders, protobufResponse } from '../responses/responses.ts'
import { goTypeOf } from './go-type.ts'
import { partialMetadataJson } from './partial.ts'
import { protobufDocument, protobufView } from './protobuf-view.ts'
import { tableJson } from './table.ts'
import { jsonTextResponse } from './value.ts'
import type { View } from './view.ts'

const newline = 0x0a

/** One object in the requested form. Plain JSON is the shared buffer plus a newline, never parsed. */
export function documentResponse(status: number, kind: Kind, document: Document, view: View): Response {
  const { media } = view
  if (media === plainJson)
    return { status, headers: jsonHeaders, body: document.jsonLine?.() ?? endedLine(document.json) }
  if (media.as === 'PartialObjectMetadataList') {
    throw notAcceptable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${goTypeOf(kind)})`,
    )
  }
  if (media.format === 'protobuf')
    return protobufResponse(status, protobufDocument(protobufView(kind, media), document))
  switch (media.as) {
    case '':
      return jsonTextResponse(status, document.json.toString(), media)
    case 'Table':
      return jsonTextResponse(status, tableJson(kind, document, metadataOf(document), view.table), media)
    case 'PartialObjectMetadata':
      return jsonTextResponse(status, partialMetadataJson(document.object, media.version), media)
  }
}

function endedLine(json: Buffer): Buffer {
  const body = Buffer.allocUnsafe(json.length + 1)
  body.set(json)
  body[json.length] = newline
  return body
}

function metadataOf(document: Document): string {
  return document.resourceVersion === '' ? '{}' : `{"resourceVersion":${JSON.stringify(document.resourceVersion)}}`
}
