/** A YAML text read into values that know where they stand. Aliases share the value of their anchor. */
export type YamlValue = YamlScalar | YamlList | YamlMap

/** Offsets in UTF-16 units; `end` is behind the last one. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface YamlScalar {
  readonly type: 'scalar'
  /** With quotes, or from the `|` or `>` on. Empty where nothing is written. */
  readonly span: Span
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded'
  /** What is written, before it was taken for a number or a word such as `true`. */
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
  /** In the order of the text, repeated keys included; what merge keys bring in comes last. */
  readonly members: readonly YamlMember[]
}

export interface YamlMember {
  readonly key: string
  readonly keySpan: Span
  readonly value: YamlValue
}

/** The member that counts: the last one of that name. */
export function memberOf(map: YamlMap, key: string): YamlMember | undefined {
  return map.members.findLast((member) => member.key === key)
}

export interface SyntaxProblem {
  readonly span: Span
  readonly message: string
  readonly suggestion?: string
}
