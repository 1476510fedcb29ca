import type { Steps } from '../../base/steps.ts'
import type { V2Document } from '../../registry/aggregation/v2-document.ts'
import type { Described } from './described.ts'
import { answerRef, answerTypes, bodyRef, codeTexts, operationHead, patchTypes } from './document-parts.ts'
import type { FieldTexts } from './field-texts.ts'
import { type OpenApiOperation, pathsOf, type ResourcePath } from './operations.ts'
import { type OpenApiParameter, pretty } from './parameters.ts'
import { type Definitions, emptyDefinitions, type JsonNode } from './schema-json.ts'

/** The paths and definitions for a part of what is served. */
export interface V2Parts {
  readonly paths: ReadonlyMap<string, JsonNode>
  readonly definitions: ReadonlyMap<string, JsonNode>
}

export function* openApiV2Parts(served: readonly Described[], texts: FieldTexts): Steps<V2Parts> {
  const definitions = emptyDefinitions('v2', texts)
  const paths = new Map<string, JsonNode>()
  for (const described of served) {
    for (const path of pathsOf(described)) {
      paths.set(path.path, pathItem(path, path.shows ?? described, definitions))
      yield
    }
  }
  return { paths, definitions: definitions.byName }
}

/** The same from the document of a server behind an APIService. */
export function foreignV2Parts({ paths, definitions }: V2Document): V2Parts {
  return { paths: new Map(Object.entries(paths)), definitions: new Map(Object.entries(definitions)) }
}

function pathItem({ parameters, operations }: ResourcePath, described: Described, definitions: Definitions): JsonNode {
  const entries = operations.map((each) => [each.method, operationJson(each, described, definitions)])
  return { ...Object.fromEntries(entries), parameters: [...parameters, pretty].map(parameterJson) }
}

function operationJson(operation: OpenApiOperation, described: Described, definitions: Definitions): JsonNode {
  return {
    ...operationHead(operation, described),
    consumes: operation.body === 'patch' ? patchTypes(described) : ['*/*'],
    produces: answerTypes,
    schemes: ['https'],
    parameters: [...bodyParameters(operation, described, definitions), ...operation.parameters.map(parameterJson)],
    responses: responses(operation, described, definitions),
  }
}

function bodyParameters(
  { body }: OpenApiOperation,
  described: Described,
  definitions: Definitions,
): readonly JsonNode[] {
  if (body === undefined) return []
  const required = body === 'delete-options' ? {} : { required: true }
  return [{ name: 'body', in: 'body', ...required, schema: bodyRef(body, described, definitions) }]
}

function parameterJson({ name, in: place, type, description }: OpenApiParameter): JsonNode {
  return { name, in: place, description, ...(place === 'path' ? { required: true } : {}), type, uniqueItems: true }
}

function responses({ answer, codes }: OpenApiOperation, described: Described, definitions: Definitions): JsonNode {
  const schema = answerRef(answer, described, definitions)
  const answers = codes.map((code) => [code, { description: codeTexts.get(code), schema }])
  return { ...Object.fromEntries(answers), 401: { description: codeTexts.get(401) } }
}
