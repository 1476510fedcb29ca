import type { Steps } from '../../base/pace.ts'
import type { V2Document } from '../../registry/aggregation/v2-document.ts'
import type { Described } from './described.ts'
import {
  answerRef,
  answerTypes,
  bodyRef,
  codeTexts,
  documentInfo,
  operationHead,
  patchTypes,
  sorted,
} from './document-parts.ts'
import type { FieldTexts } from './field-texts.ts'
import { type OpenApiOperation, pathsOf, type ResourcePath } from './operations.ts'
import { type OpenApiParameter, pretty } from './parameters.ts'
import { type Definitions, define, emptyDefinitions, type JsonNode } from './schema-json.ts'

/** The OpenAPI 2 document of everything served. What servers behind this one say of their APIs replaces nothing in it. */
export function* openApiV2(
  served: readonly Described[],
  texts: FieldTexts,
  foreign: readonly V2Document[] = [],
): Steps<JsonNode> {
  const definitions = emptyDefinitions('v2', texts)
  const paths: (readonly [string, JsonNode])[] = []
  for (const described of served) {
    for (const path of pathsOf(described)) {
      paths.push([path.path, pathItem(path, described, definitions)])
      yield
    }
  }
  for (const document of foreign) {
    paths.push(...Object.entries(document.paths).map(([path, item]) => [path, { ...item }] as const))
    for (const [name, definition] of Object.entries(document.definitions)) {
      define(name, definitions, () => ({ ...definition }))
    }
    yield
  }
  return {
    swagger: '2.0',
    info: documentInfo,
    paths: sorted(paths),
    definitions: sorted(definitions.byName),
    securityDefinitions: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
  }
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
