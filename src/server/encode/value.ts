import { protobufValue } from '../../api/encode/protobuf.ts'
import { parsePrinted } from '../../base/json/parse.ts'
import { toYaml } from '../../base/json/to-yaml.ts'
import type { Response } from '../http.ts'
import type { MediaType, TextMedia } from '../request/negotiate.ts'
import { jsonHeaders, protobufResponse, yamlHeaders } from '../responses/responses.ts'
import { indentJson } from './indent.ts'

/** Longer values stay JSON, which is also YAML: printing them otherwise would block other requests. */
export const longestYaml = 64 * 1024

/** A response with a computed value, such as a Status or a review. */
export function valueResponse(status: number, value: object, media: MediaType): Response {
  if (media.format === 'protobuf') return protobufResponse(status, protobufValue(value))
  return jsonTextResponse(status, JSON.stringify(value), media)
}

/** Encoded JSON in the requested form. */
export function jsonTextResponse(status: number, json: string, media: TextMedia): Response {
  if (media.format === 'yaml') return { status, headers: yamlHeaders, body: Buffer.from(yamlText(json)) }
  const text = media.pretty ? indentJson(json) : json
  return { status, headers: jsonHeaders, body: Buffer.from(`${text}\n`) }
}

/** Accepts only JSON that this server has printed. */
export function yamlOf(json: string): string {
  return toYaml(parsePrinted(json, longNumber.test(json)))
}

const longNumber = /\d{16}/

function yamlText(json: string): string {
  return json.length > longestYaml ? `${json}\n` : yamlOf(json)
}
