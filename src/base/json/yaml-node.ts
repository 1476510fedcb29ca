import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import { JsonSyntaxError } from './error.ts'
import { goYamlValue } from './go-yaml-value.ts'
import { maxDepth, maxDuplicates, maxValues, tooDeep, tooManyValues } from './limits.ts'
import { isJsonObject, setMember } from './member.ts'
import { type PathElement, printPath } from './path.ts'
import type { ParsedJson } from './precise.ts'
import { inexactNumber } from './scalar.ts'
import { isMergeKey } from './yaml-compose.ts'
import { resolvePlain } from './yaml-scalar.ts'

/** A repeated member of a map. */
interface Repeated {
  readonly path: string
  readonly key: string | number | bigint | boolean
  /** The offset in the text. */
  readonly at: number
}

/** The position of a conversion, and what it has found so far. */
interface Walk {
  /** Nodes that have been converted completely, by the last anchor that named them. */
  readonly anchors: Map<string, unknown>
  readonly path: PathElement[]
  readonly duplicates: Repeated[]
  values: number
  /** A few lines with aliases can expand to billions of characters. */
  aliasedCharacters: number
  insideAlias: number
  depth: number
  hasLarge: boolean
}

const mostAliasedCharacters = 1024 * 1024

/** The content of a YAML document as JSON values. 64-bit integers that a double cannot hold become bigints. */
export function documentToJson(document: Document, text: string): ParsedJson {
  const walk: Walk = {
    anchors: new Map(),
    path: [],
    duplicates: [],
    values: 0,
    aliasedCharacters: 0,
    insideAlias: 0,
    depth: 0,
    hasLarge: false,
  }
  const value = toJson(document.contents, walk)
  return {
    value,
    duplicateFields: walk.duplicates.map(({ path }) => path),
    ...(walk.duplicates.length > 0 && { repeatedKeys: walk.duplicates.map((repeated) => goWords(repeated, text)) }),
    ...(walk.hasLarge && { hasLarge: true }),
  }
}

function goWords({ key, at }: Repeated, text: string): string {
  const line = text.slice(0, at).split('\n').length
  return `line ${line}: key ${typeof key === 'string' ? JSON.stringify(key) : key} already set in map`
}

function toJson(node: unknown, walk: Walk): unknown {
  if (++walk.values > maxValues) throw walk.insideAlias > 0 ? excessiveAliasing() : tooManyValues()
  if (walk.depth >= maxDepth) throw tooDeep()
  walk.depth++
  const value = nodeToJson(node, walk)
  walk.depth--
  if (isNode(node) && !isAlias(node) && node.anchor !== undefined) walk.anchors.set(node.anchor, node)
  return value
}

function nodeToJson(node: unknown, walk: Walk): unknown {
  if (isScalar(node)) return scalarToJson(node, walk)
  if (isMap(node)) return mapToJson(node, walk)
  if (isAlias(node)) return aliasToJson(node, walk)
  if (isPair(node)) return pairToJson(node, walk)
  if (!isSeq(node)) return null
  return node.items.map((item, at) => {
    walk.path.push(at)
    const value = toJson(item, walk)
    walk.path.pop()
    return value
  })
}

function aliasToJson(alias: Alias, walk: Walk): unknown {
  const target = walk.anchors.get(alias.source)
  if (target === undefined) throw new JsonSyntaxError(`yaml: unknown anchor '${alias.source}' referenced`)
  walk.insideAlias++
  const value = toJson(target, walk)
  walk.insideAlias--
  return value
}

/** An item of an ordered map. */
function pairToJson(pair: Pair, walk: Walk): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  addPair(object, pair, walk)
  return object
}

function excessiveAliasing(): JsonSyntaxError {
  return new JsonSyntaxError('yaml: document contains excessive aliasing')
}

function scalarToJson(scalar: Scalar, walk: Walk): string | number | bigint | boolean | null {
  if (scalar.value instanceof Uint8Array) return binaryToText(scalar.value)
  const text = typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? '')
  if (walk.insideAlias > 0) walk.aliasedCharacters += text.length
  if (walk.aliasedCharacters > mostAliasedCharacters) throw excessiveAliasing()
  switch (scalar.tag) {
    case undefined:
      return scalar.type === 'PLAIN' ? plainToJson(text, walk) : text
    case 'tag:yaml.org,2002:int':
    case 'tag:yaml.org,2002:float':
    case 'tag:yaml.org,2002:bool':
    case 'tag:yaml.org,2002:null':
      return plainToJson(text, walk)
    default:
      return text
  }
}

function plainToJson(text: string, walk: Walk): string | number | bigint | boolean | null {
  const resolved = resolvePlain(text)
  if (resolved.large !== undefined) {
    walk.hasLarge = true
    return resolved.large
  }
  if ('inexact' in resolved) throw inexactNumber(resolved.inexact, resolved.whole, walk.path, true)
  return resolved.value
}

function binaryToText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new JsonSyntaxError('yaml: !!binary value is not text')
  }
}

function mapToJson(map: YAMLMap, walk: Walk): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  const merged: Record<string, unknown>[] = []
  for (const pair of map.items) {
    if (isMergeKey(pair)) merged.push(...mergeSources(toJson(pair.value, walk)))
    else addPair(object, pair, walk)
  }
  for (const source of merged) addMissing(object, source)
  return object
}

function addPair(object: Record<string, unknown>, pair: Pair, walk: Walk): void {
  const key = keyOf(toJson(pair.key, walk), pair, walk)
  const name = String(key)
  walk.path.push(name)
  if (Object.hasOwn(object, name) && walk.duplicates.length < maxDuplicates) {
    walk.duplicates.push({ path: printPath(walk.path), key, at: placeOf(pair) })
  }
  setMember(object, name, toJson(pair.value, walk))
  walk.path.pop()
}

/** Where the value of a member begins, or its key if there is none. */
function placeOf({ key, value }: Pair): number {
  const isWritten = isNode(value) && !(isScalar(value) && (value.source ?? '') === '')
  const node = isWritten ? value : key
  return isNode(node) ? (node.range?.[0] ?? 0) : 0
}

function keyOf(key: unknown, pair: Pair, walk: Walk): string | number | bigint | boolean {
  if (typeof key === 'string' || typeof key === 'number' || typeof key === 'bigint' || typeof key === 'boolean')
    return key
  if (key !== null) throw new JsonSyntaxError(`yaml: invalid map key: ${goYamlValue(key)}`)
  const value = goYamlValue(toJson(pair.value, walk))
  throw new JsonSyntaxError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${value}`)
}

function mergeSources(value: unknown): readonly Record<string, unknown>[] {
  const sources = Array.isArray(value) ? value : [value]
  return sources.map((source) => {
    if (isJsonObject(source)) return source
    throw new JsonSyntaxError('yaml: map merge requires map or sequence of maps as the value')
  })
}

/** Members of the map itself override merged ones, and earlier merged ones override later ones. */
function addMissing(object: Record<string, unknown>, source: Record<string, unknown>): void {
  for (const key of Object.keys(source)) if (!Object.hasOwn(object, key)) setMember(object, key, source[key])
}
