import { JsonSyntaxError } from '../../base/json/error.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { type ParsedJson, parseJson, parseLargeJson } from '../../base/json/parse.ts'
import { decodeUtf8 } from '../../base/json/utf8.ts'

/** The review in a webhook's response, which may be anything; `refuse` throws if it is not an object. */
export function parsedReview(body: Buffer, refuse: (problem: string) => never): Readonly<Record<string, unknown>> {
  return objectIn(refuse, () => parseJson(decodeUtf8(body)))
}

/** The same for a review that contains users' objects. */
export function parsedObjectReview(
  body: Buffer,
  refuse: (problem: string) => never,
  mostValues: number,
): Readonly<Record<string, unknown>> {
  return objectIn(refuse, () => parseLargeJson(decodeUtf8(body), mostValues))
}

function objectIn(refuse: (problem: string) => never, parse: () => ParsedJson): Readonly<Record<string, unknown>> {
  const value = parsedOr(refuse, parse)
  return isJsonObject(value) ? value : refuse('it is not an object')
}

function parsedOr(refuse: (problem: string) => never, parse: () => ParsedJson): unknown {
  try {
    return parse().value
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return refuse(error.message)
  }
}

/** The part of a webhook's text that messages repeat. */
export function repeatedText(value: unknown, mostCharacters = 200): string {
  return typeof value === 'string' ? value.slice(0, mostCharacters) : ''
}
