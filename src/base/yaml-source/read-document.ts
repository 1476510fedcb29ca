import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
} from 'yaml'
import { isMergeKey } from '../json/yaml-compose.ts'
import { resolvePlain } from '../json/yaml-scalar.ts'
import type { Span, SyntaxProblem, YamlMember, YamlScalar, YamlValue } from './node.ts'

/** The size of a value with its aliases expanded: a few lines can expand to billions of nodes. */
interface Measure {
  readonly nodes: number
  readonly characters: number
  readonly depth: number
}

interface Walk {
  /** Values that have been read completely, by the last anchor that named them. */
  readonly anchors: Map<string, YamlValue>
  readonly measures: Map<YamlValue, Measure>
  readonly problems: SyntaxProblem[]
  aliased: number
  aliasedCharacters: number
}

const mostAliased = 50_000
const mostAliasedCharacters = 1024 * 1024
const deepest = 300

export function readDocument(document: Document.Parsed): {
  readonly root: YamlValue
  readonly problems: readonly SyntaxProblem[]
} {
  const walk: Walk = { anchors: new Map(), measures: new Map(), problems: [], aliased: 0, aliasedCharacters: 0 }
  return { root: readNode(document.contents, { start: 0, end: 0 }, walk), problems: walk.problems }
}

/** `place` is the position of the value if it is omitted. */
function readNode(node: unknown, place: Span, walk: Walk): YamlValue {
  if (isAlias(node)) return readAlias(node, place, walk)
  const value = readOwnNode(node, place, walk)
  if (isNode(node) && node.anchor !== undefined) walk.anchors.set(node.anchor, value)
  return value
}

function readOwnNode(node: unknown, place: Span, walk: Walk): YamlValue {
  if (isScalar(node)) return measured(readScalar(node, place, walk), [], walk)
  if (isMap(node)) return readMap(node.items, spanOf(node, place), node, walk)
  if (!isSeq(node)) return measured(emptyScalar(place), [], walk)
  const span = spanOf(node, place)
  checkTag(node, span, collectionTags, walk)
  const items = node.items.map((item) => readNode(item, span, walk))
  return measured({ type: 'list', span, items }, items, walk)
}

function readMap(pairs: readonly Pair[], span: Span, node: Node, walk: Walk): YamlValue {
  checkTag(node, span, collectionTags, walk)
  const members: YamlMember[] = []
  const merged: YamlMember[] = []
  for (const pair of pairs) {
    if (isMergeKey(pair)) merged.push(...mergedMembers(pair, span, walk))
    else members.push(readPair(pair, span, walk))
  }
  addMissing(members, merged)
  return measured(
    { type: 'map', span, members },
    members.map(({ value }) => value),
    walk,
  )
}

function readPair(pair: Pair, place: Span, walk: Walk): YamlMember {
  const keySpan = spanOf(pair.key, place)
  const key = readKey(pair.key, keySpan, walk)
  return { key, keySpan, value: readNode(pair.value, { start: keySpan.end, end: keySpan.end }, walk) }
}

/** A key is its text, even if the text would be a number or a boolean as a value. */
function readKey(node: unknown, span: Span, walk: Walk): string {
  const key = isScalar(node) || isAlias(node) ? readNode(node, span, walk) : undefined
  if (key?.type === 'scalar' && (key.text !== '' || key.style !== 'plain')) return key.text
  const message = key === undefined || key.type !== 'scalar' ? 'a key must be a simple text' : 'a key is missing here'
  walk.problems.push({ span, message })
  return ''
}

function mergedMembers(pair: Pair, place: Span, walk: Walk): readonly YamlMember[] {
  const value = readNode(pair.value, spanOf(pair.key, place), walk)
  const sources = value.type === 'list' ? value.items : [value]
  return sources.flatMap((source) => {
    if (source.type === 'map') return source.members
    walk.problems.push({ span: spanOf(pair.key, place), message: '<< takes a mapping or a list of mappings' })
    return []
  })
}

/** Members of the map itself override merged ones, and earlier merged ones override later ones. */
function addMissing(members: YamlMember[], merged: readonly YamlMember[]): void {
  const present = new Set(members.map(({ key }) => key))
  for (const member of merged) {
    if (!present.has(member.key)) members.push(member)
    present.add(member.key)
  }
}

function readAlias(alias: Alias, place: Span, walk: Walk): YamlValue {
  const span = spanOf(alias, place)
  const target = walk.anchors.get(alias.source)
  if (target === undefined) {
    walk.problems.push({ span, message: `there is no anchor &${alias.source} before this alias` })
    return measured(emptyScalar(span), [], walk)
  }
  const { nodes = 1, characters = 0 } = walk.measures.get(target) ?? {}
  walk.aliased += nodes
  walk.aliasedCharacters += characters
  if (walk.aliased <= mostAliased && walk.aliasedCharacters <= mostAliasedCharacters) return target
  if (walk.problems.at(-1)?.message !== tooManyAliases) walk.problems.push({ span, message: tooManyAliases })
  return measured(emptyScalar(span), [], walk)
}

const tooManyAliases = 'aliases expand to too many values'

function measured(value: YamlValue, children: readonly YamlValue[], walk: Walk): YamlValue {
  let nodes = 1
  let depth = 1
  let characters = value.type === 'scalar' ? value.text.length : 0
  for (const child of children) {
    const measure = walk.measures.get(child)
    nodes += measure?.nodes ?? 1
    characters += measure?.characters ?? 0
    depth = Math.max(depth, 1 + (measure?.depth ?? 0))
  }
  if (depth > deepest) {
    walk.problems.push({ span: value.span, message: 'values are nested too deeply' })
    return measured(emptyScalar(value.span), [], walk)
  }
  walk.measures.set(value, { nodes, characters, depth })
  return value
}

const styles: Readonly<Record<string, YamlScalar['style']>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
}

const typedTags: ReadonlySet<string> = new Set(['int', 'float', 'bool', 'null'].map(standardTag))
const scalarTags: ReadonlySet<string> = new Set([...typedTags, standardTag('str')])
const collectionTags: ReadonlySet<string> = new Set(['map', 'seq'].map(standardTag))

function standardTag(name: string): string {
  return `tag:yaml.org,2002:${name}`
}

function readScalar(scalar: Scalar, place: Span, walk: Walk): YamlScalar {
  const span = spanOf(scalar, place)
  checkTag(scalar, span, scalarTags, walk)
  const text = typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? '')
  const style = styles[scalar.type ?? 'PLAIN'] ?? 'plain'
  const typed = scalar.tag === undefined ? style === 'plain' : typedTags.has(scalar.tag)
  return { type: 'scalar', span, style, text, value: typed ? plainValue(text) : text }
}

function plainValue(text: string): YamlScalar['value'] {
  const resolved = resolvePlain(text)
  return 'inexact' in resolved ? Number.NaN : resolved.value
}

function emptyScalar(span: Span): YamlScalar {
  return { type: 'scalar', span: { start: span.start, end: span.start }, style: 'plain', text: '', value: null }
}

function checkTag({ tag }: Node, span: Span, allowed: ReadonlySet<string>, walk: Walk): void {
  if (tag === undefined || allowed.has(tag)) return
  walk.problems.push({ span, message: 'this tag is not supported', suggestion: 'remove the word that starts with !' })
}

function spanOf(node: unknown, place: Span): Span {
  const range = isNode(node) ? node.range : undefined
  return range == null ? place : { start: range[0], end: range[1] }
}
