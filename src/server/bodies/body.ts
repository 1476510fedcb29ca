import type { BodyFormat } from '../../api/decode/body.ts'
import { unsupportedMediaType } from '../../api/error.ts'
import type { Exchange } from '../exchange.ts'

const acceptedFormats = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

/** The media type of the body without its parameters; empty when the header is absent. */
export function contentTypeOf(exchange: Exchange): string {
  const header = exchange.request.headers['content-type']
  if (header === undefined || header === 'application/json') return header ?? ''
  const semicolon = header.indexOf(';')
  return (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase()
}

export function bodyFormat(exchange: Exchange): BodyFormat {
  switch (contentTypeOf(exchange)) {
    case '':
    case 'application/json':
      return 'json'
    case 'application/yaml':
      return 'yaml'
    case 'application/vnd.kubernetes.protobuf':
      return 'protobuf'
    default:
      throw unsupportedMediaType(acceptedFormats)
  }
}
