import { toYaml } from '../../base/json/to-yaml.ts'
import type { Response } from '../http.ts'
import type { MediaType } from '../negotiate.ts'
import { jsonHeaders, yamlHeaders } from '../responses.ts'
import { indentJson } from './indent.ts'

/** An answer made on the spot, such as a Status or a review. */
export function valueResponse(status: number, value: object, media: MediaType): Response {
  if (media.format === 'yaml') return { status, headers: yamlHeaders, body: Buffer.from(toYaml(value)) }
  return jsonTextResponse(status, JSON.stringify(value), media)
}

/** Finished JSON in the form that was asked for. */
export function jsonTextResponse(status: number, json: string, media: MediaType): Response {
  if (media.format === 'yaml') return valueResponse(status, JSON.parse(json), media)
  const text = media.pretty ? indentJson(json) : json
  return { status, headers: jsonHeaders, body: Buffer.from(`${text}\n`) }
}
