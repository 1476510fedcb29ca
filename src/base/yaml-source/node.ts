/** The values of a YAML text with their positions. Aliases share the value of their anchor. */
export type YamlValue = YamlScalar | YamlList | YamlMap

/** Offsets in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface YamlScalar {
  readonly type: 'scalar'
  /** Includes the quotes, or starts at the `|` or `>`. Empty where the value is omitted. */
  readonly span: Span
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded'
  /** The text as written, before it is read as a number or a word such as `true`. */
  readonly text: string
  /** A number that JavaScript cannot hold is NaN. */
  readonly value: string | number | boolean | null
}

export interface YamlList {
  readonly type: 'list'
  readonly span: Span
  readonly items: readonly YamlValue[]
}

export interface YamlMap {
  readonly type: 'map'
  readonly span: Span
  /** In the order of the text, including repeated keys. Members from merge keys come last. */
  readonly members: readonly YamlMember[]
}

export interface YamlMember {
  readonly key: string
  readonly keySpan: Span
  readonly value: YamlValue
}

/** The member that counts: the last one with that name. */
export function memberOf(map: YamlMap, key: string): YamlMember | undefined {
  return map.members.findLast((member) => member.key === key)
}

export interface SyntaxProblem {
  readonly span: Span
  readonly message: string
  readonly suggestion?: string
}
