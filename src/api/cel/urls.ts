import { firstTraversed } from '../../cel/cost/call-costs.ts'
import { firstArg, traversalOf } from '../../cel/cost/standard-estimates.ts'
import { type CelLibrary, type CelOverload, globalOverload, memberOverload } from '../../cel/environment.ts'
import type { Meter } from '../../cel/meter.ts'
import { areEqual } from '../../cel/run/equal.ts'
import { boolType, listType, mapType, stringType, structType } from '../../cel/type.ts'
import {
  type CelOpaque,
  type CelResult,
  type CelValue,
  celList,
  celMap,
  failure,
  noSuchOverload,
} from '../../cel/value.ts'
import {
  escapedPathOf,
  longestUri,
  parseRequestUri,
  portOf,
  queryValues,
  type RequestUri,
  urlHostName,
} from './request-uri.ts'

const typeName = 'kubernetes.URL'
const urlType = structType(typeName)

interface UrlValue extends CelOpaque {
  readonly url: RequestUri
}

function isUrlValue(value: CelValue | undefined): value is UrlValue {
  return typeof value === 'object' && value?.kind === 'opaque' && value.typeName === typeName
}

function parsedUrl([text]: readonly CelValue[]): CelResult {
  if (typeof text !== 'string') return noSuchOverload
  const url = parseRequestUri(text)
  if ('problem' in url) return failure(`URL parse error during conversion from string: ${url.problem}`)
  const value: UrlValue = {
    kind: 'opaque',
    typeName,
    url,
    equals: (other, meter) => isUrlValue(other) && areEqual(url.text, other.url.text, meter),
  }
  return value
}

/** The work of escaping or decoding one character of a URL. */
const workOfCharacter = 5

function accessor(id: string, read: (url: RequestUri) => string): CelOverload {
  return memberOverload(id, [urlType], stringType, ([value], meter) => {
    if (!isUrlValue(value)) return noSuchOverload
    meter.work(value.url.text.length * workOfCharacter)
    return read(value.url)
  })
}

function isUrl([text]: readonly CelValue[], meter: Meter): CelResult {
  if (typeof text !== 'string') return noSuchOverload
  meter.work(Math.min(text.length, longestUri))
  return !('problem' in parseRequestUri(text))
}

function query([value]: readonly CelValue[], meter: Meter): CelResult {
  if (!isUrlValue(value)) return noSuchOverload
  meter.work(value.url.query.length * workOfCharacter)
  const entries = [...queryValues(value.url)]
  return celMap(new Map(entries.map(([name, values]) => [`s${name}`, [name, celList(values)] as const])))
}

export const kubernetesUrls: CelLibrary = {
  functions: [
    {
      name: 'url',
      overloads: [
        globalOverload('string_to_url', [stringType], urlType, parsedUrl, {
          cost: firstTraversed,
          estimate: traversalOf(firstArg),
        }),
      ],
    },
    {
      name: 'isURL',
      overloads: [globalOverload('is_url_string', [stringType], boolType, isUrl)],
    },
    { name: 'getScheme', overloads: [accessor('url_get_scheme', ({ scheme }) => scheme)] },
    { name: 'getHost', overloads: [accessor('url_get_host', ({ host }) => host)] },
    { name: 'getHostname', overloads: [accessor('url_get_hostname', urlHostName)] },
    { name: 'getPort', overloads: [accessor('url_get_port', portOf)] },
    { name: 'getEscapedPath', overloads: [accessor('url_get_escaped_path', escapedPathOf)] },
    {
      name: 'getQuery',
      overloads: [memberOverload('url_get_query', [urlType], mapType(stringType, listType(stringType)), query)],
    },
  ],
  types: new Map([[typeName, urlType]]),
}
