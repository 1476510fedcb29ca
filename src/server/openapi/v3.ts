import type { Steps } from '../../base/steps.ts'
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
import { type Definitions, emptyDefinitions, type JsonNode } from './schema-json.ts'

export function* openApiV3(served: readonly Described[], texts: FieldTexts): Steps<JsonNode> {
  const definitions = emptyDefinitions('v3', texts)
  const paths: (readonly [string, JsonNode])[] = []
  for (const described of served) {
    for (const path of pathsOf(described)) {
      paths.push([path.path, pathItem(path, path.shows ?? described, definitions)])
      yield
    }
  }
  return {
    openapi: '3.0.0',
    info: documentInfo,
    paths: sorted(paths),
    components: {
      schemas: sorted(definitions.byName),
      securitySchemes: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    },
  }
}

function pathItem({ parameters, operations }: ResourcePath, described: Described, definitions: Definitions): JsonNode {
  const entries = operations.map((each) => [each.method, operationJson(each, described, definitions)])
  return { ...Object.fromEntries(entries), parameters: [...parameters, pretty].map(parameterJson) }
}

function operationJson(operation: OpenApiOperation, described: Described, definitions: Definitions): JsonNode {
  return {
    ...operationHead(operation, described),
    parameters: operation.parameters.map(parameterJson),
    ...(operation.body === undefined ? {} : { requestBody: requestBody(operation.body, described, definitions) }),
    responses: responses(operation, described, definitions),
  }
}

function parameterJson({ name, in: place, type, description }: OpenApiParameter): JsonNode {
  return {
    name,
    in: place,
    description,
    ...(place === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  }
}

function requestBody(
  body: NonNullable<OpenApiOperation['body']>,
  described: Described,
  definitions: Definitions,
): JsonNode {
  const schema = bodyRef(body, described, definitions)
  const types = body === 'patch' ? patchTypes(described) : ['*/*']
  return {
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
    ...(body === 'delete-options' ? {} : { required: true }),
  }
}

function responses({ answer, codes }: OpenApiOperation, described: Described, definitions: Definitions): JsonNode {
  const schema = answerRef(answer, described, definitions)
  const content = Object.fromEntries(answerTypes.map((type) => [type, { schema }]))
  const answers = codes.map((code) => [code, { description: codeTexts.get(code), content }])
  return { ...Object.fromEntries(answers), 401: { description: codeTexts.get(401) } }
}
