import { isJsonObject } from '../../base/json/member.ts'
import type { Steps } from '../../base/steps.ts'
import { type DocumentedVersion, definitionsIn, isText, ownKinds, readV2Schema, type V2Node } from './v2-schema.ts'

/** The part of another server's OpenAPI 2 document that describes the group version it serves. */
export interface V2Document {
  readonly paths: Readonly<Record<string, V2Node>>
  readonly definitions: Readonly<Record<string, V2Node>>
  /** Characters of the JSON text. */
  readonly size: number
}

/** Limits for one version: every client receives it. */
const mostCharacters = 512 * 1024
const mostDefinitions = 2_000
const methods = ['get', 'put', 'post', 'delete', 'patch'] as const
const gvkKey = 'x-kubernetes-group-version-kind'

export const emptyV2Document: V2Document = { paths: {}, definitions: {}, size: 0 }

/** Throws an Error if the text is not an OpenAPI 2 document, or is too large. */
export function* readV2Document(text: string, of: DocumentedVersion): Steps<V2Document> {
  const document: unknown = JSON.parse(text)
  if (!isJsonObject(document) || document.swagger !== '2.0') throw new Error('it is not an OpenAPI 2 document')
  yield
  const paths = yield* pathsIn(document.paths, of)
  const definitions = yield* definitionsOf(document.definitions, paths, of)
  const size = JSON.stringify({ paths, definitions }).length
  if (size > mostCharacters) throw new Error(`it has more than ${mostCharacters} characters about its API`)
  return { paths, definitions, size }
}

function* pathsIn(value: unknown, of: DocumentedVersion): Steps<V2Document['paths']> {
  const root = `/apis/${of.group}/${of.version}/`
  const own: [string, V2Node][] = []
  for (const [path, item] of isJsonObject(value) ? Object.entries(value) : []) {
    if (!`${path}/`.startsWith(root)) continue
    own.push([path, pathItem(item, of)])
    yield
  }
  return Object.fromEntries(own)
}

function pathItem(item: unknown, of: DocumentedVersion): V2Node {
  if (!isJsonObject(item)) return {}
  const operations = methods.flatMap((method) => {
    const operation = item[method]
    return isJsonObject(operation) ? [[method, readOperation(operation, of)] as const] : []
  })
  return { ...Object.fromEntries(operations), parameters: readParameters(item.parameters, of) }
}

function readOperation(operation: V2Node, of: DocumentedVersion): V2Node {
  const { description, operationId, 'x-kubernetes-action': action } = operation
  const [kind] = ownKinds(operation[gvkKey], of)
  return {
    ...(isText(description) && { description }),
    ...(isText(operationId) && { operationId }),
    ...(isText(action) && { 'x-kubernetes-action': action }),
    ...(kind !== undefined && { [gvkKey]: kind }),
    consumes: textsIn(operation.consumes),
    produces: textsIn(operation.produces),
    schemes: ['https'],
    parameters: readParameters(operation.parameters, of),
    responses: readResponses(operation.responses, of),
  }
}

function readParameters(value: unknown, of: DocumentedVersion): readonly V2Node[] {
  const parameters = Array.isArray(value) ? value.filter(isJsonObject) : []
  return parameters.flatMap<V2Node>(({ name, in: place, type, description, required, schema }) => {
    if (!isText(name) || !isText(place)) return []
    const told = {
      name,
      in: place,
      ...(isText(description) && { description }),
      ...(required === true && { required }),
    }
    if (place === 'body') return [{ ...told, schema: readV2Schema(schema, of) }]
    return place === 'query' || place === 'path' ? [{ ...told, type: isText(type) ? type : 'string' }] : []
  })
}

function readResponses(value: unknown, of: DocumentedVersion): V2Node {
  const entries = isJsonObject(value) ? Object.entries(value) : []
  const known = entries.filter(([code]) => /^\d{3}$/.test(code))
  return Object.fromEntries(
    known.map(([code, each]) => {
      const { description, schema } = isJsonObject(each) ? each : {}
      const told = { description: isText(description) ? description : '' }
      return [code, isJsonObject(schema) ? { ...told, schema: readV2Schema(schema, of) } : told]
    }),
  )
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isText) : []
}

/**
 * The definitions of its kinds, and all that paths and other definitions refer to. A missing definition accepts
 * anything.
 */
function* definitionsOf(value: unknown, paths: V2Node, of: DocumentedVersion): Steps<V2Document['definitions']> {
  const given = isJsonObject(value) ? value : {}
  const kept = new Map<string, V2Node>()
  const ofKinds = Object.entries(given).filter(
    ([, each]) => isJsonObject(each) && ownKinds(each[gvkKey], of).length > 0,
  )
  const wanted = ofKinds.map(([name]) => name)
  for (const path of Object.values(paths)) {
    for (const name of definitionsIn(path)) wanted.push(name)
    yield
  }
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (kept.has(name)) continue
    if (kept.size >= mostDefinitions) throw new Error(`it has more than ${mostDefinitions} definitions`)
    const definition = readV2Schema(Object.hasOwn(given, name) ? given[name] : {}, of)
    kept.set(name, definition)
    for (const other of definitionsIn(definition)) wanted.push(other)
    yield
  }
  return Object.fromEntries(kept)
}
