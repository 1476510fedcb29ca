import type { Document, YAMLParseError } from 'yaml'
import { atOnce, type Steps } from '../steps.ts'
import { JsonSyntaxError, TooMuchError } from './error.ts'
import { maxValues, tooDeep } from './limits.ts'
import { type ParsedJson, parseSteps } from './parse.ts'
import { withoutLarge } from './without-large.ts'
import { composeYaml, isBlankDocument, servedYaml, type YamlLimits } from './yaml-compose.ts'
import { documentToJson } from './yaml-node.ts'

/**
 * Parses one YAML document into JSON values, reading scalars as Go's YAML does. Throws JsonSyntaxError for anything
 * else, also for aliases that would multiply without end, and TooMuchError for a text beyond the limits.
 */
export function parseYaml(text: string, limits: YamlLimits = servedYaml): ParsedJson {
  return withoutLarge(parseLargeYaml(text, limits))
}

/** The same, but integers of 64 bits that a double does not hold are bigints. */
export function parseLargeYaml(text: string, limits: YamlLimits = servedYaml): ParsedJson {
  return atOnce(yamlSteps(text, limits))
}

/** That in steps. */
export function* yamlSteps(text: string, limits: YamlLimits = servedYaml): Steps<ParsedJson> {
  const json = yield* asJson(text)
  if (json !== undefined) return json
  const document = yield* onlyDocument(text, limits)
  yield
  return documentToJson(document)
}

/** kubectl sends JSON under the name of YAML. What fails as JSON may still be YAML in flow style. */
function* asJson(text: string): Steps<ParsedJson | undefined> {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    return yield* parseSteps(text, maxValues, true)
  } catch (error) {
    if (error instanceof JsonSyntaxError && !(error instanceof TooMuchError)) return undefined
    throw error
  }
}

function* onlyDocument(text: string, limits: YamlLimits): Steps<Document> {
  const documents = yield* composeYaml(text, limits, { tooDeepAt: tooDeep, tooMuchAt: () => tooMuchYaml(limits) })
  const first = documents[0]
  const problem = documents.flatMap((document) => document.errors)[0]
  if (problem !== undefined) throw syntaxError(problem, text)
  if (documents.slice(1).some((document) => !isBlankDocument(document))) {
    throw new JsonSyntaxError('yaml: more than one document')
  }
  if (first === undefined) throw new JsonSyntaxError('yaml: no document')
  return first
}

export function tooMuchYaml({ characters, words }: YamlLimits): TooMuchError {
  return new TooMuchError(`YAML may have ${words} words and ${characters} characters; what is larger is sent as JSON`)
}

/** In Go's words where people are likely to look them up. */
function syntaxError(problem: YAMLParseError, text: string): JsonSyntaxError {
  const line = text.slice(0, problem.pos[0]).split('\n').length
  return new JsonSyntaxError(`yaml: line ${line}: ${goReason(problem)}`)
}

function goReason({ code, message }: YAMLParseError): string {
  if (/Flow sequence.* end with/.test(message)) return "did not find expected ',' or ']'"
  if (/Flow map.* end with/.test(message)) return "did not find expected ',' or '}'"
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'mapping values are not allowed in this context'
  if (code === 'TAB_AS_INDENT' || code === 'BAD_SCALAR_START') return 'found character that cannot start any token'
  if (/Missing closing .quote/.test(message)) return 'found unexpected end of stream'
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}`
}
