import type { Document } from 'yaml'
import { atOnce, type Steps } from '../steps.ts'
import { JsonSyntaxError, TooMuchError } from './error.ts'
import { maxValues, tooDeep } from './limits.ts'
import { type ParsedJson, parseSteps } from './parse.ts'
import { withoutLarge } from './without-large.ts'
import { composeYaml, isBlankDocument, servedYaml, type YamlLimits } from './yaml-compose.ts'
import { documentToJson } from './yaml-node.ts'
import { refuseUnreadable, yamlSyntaxError } from './yaml-problem.ts'

/**
 * Parses one YAML document into JSON values, reading scalars as Go's YAML library does. Throws JsonSyntaxError for
 * anything else, including aliases that would expand without end, and TooMuchError for a text beyond the limits.
 */
export function parseYaml(text: string, limits: YamlLimits = servedYaml): ParsedJson {
  return withoutLarge(atOnce(yamlSteps(text, limits, 'only')))
}

/**
 * Parses the first document of a text, as Kubernetes reads a body: whatever follows is ignored. 64-bit integers that a
 * double cannot hold become bigints.
 */
export function parseLargeYaml(text: string, limits: YamlLimits = servedYaml): ParsedJson {
  return atOnce(yamlSteps(text, limits))
}

/** `parseLargeYaml` in steps. */
export function* yamlSteps(
  text: string,
  limits: YamlLimits = servedYaml,
  wanted: 'only' | 'first' = 'first',
): Steps<ParsedJson> {
  const json = yield* asJson(text)
  // Duplicates are reported by the line that they are on, as for any YAML.
  const isPlain = json?.duplicateFields.length === 0 || wanted === 'only' || text.length > limits.characters
  if (json !== undefined && isPlain) return json
  refuseUnreadable(text)
  const documents = yield* composeYaml(text, limits, { tooDeepAt: tooDeep, tooMuchAt: () => tooMuchYaml(limits) })
  const document = wanted === 'first' ? firstDocument(documents, text) : onlyDocument(documents, text)
  yield
  return documentToJson(document, text)
}

/** kubectl sends JSON labeled as YAML. Text that fails as JSON may still be YAML in flow style. */
function* asJson(text: string): Steps<ParsedJson | undefined> {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    return yield* parseSteps(text, maxValues, true)
  } catch (error) {
    if (error instanceof JsonSyntaxError && !(error instanceof TooMuchError)) return undefined
    throw error
  }
}

function onlyDocument(documents: readonly Document.Parsed[], text: string): Document {
  const problem = documents.flatMap((document) => document.errors)[0]
  if (problem !== undefined) throw yamlSyntaxError(problem, text)
  if (documents.slice(1).some((document) => !isBlankDocument(document))) {
    throw new JsonSyntaxError('yaml: more than one document')
  }
  return firstDocument(documents, text)
}

function firstDocument([first]: readonly Document.Parsed[], text: string): Document {
  if (first === undefined) throw new JsonSyntaxError('yaml: no document')
  const [problem] = first.errors
  if (problem !== undefined) throw yamlSyntaxError(problem, text)
  return first
}

export function tooMuchYaml({ characters, words }: YamlLimits): TooMuchError {
  return new TooMuchError(`YAML may have ${words} words and ${characters} characters; a larger text must be JSON`)
}
