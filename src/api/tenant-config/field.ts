import type { TextFormat } from './text-format.ts'

/**
 * What tenant.yaml may contain, as data. Checks, defaults, the JSON Schema and the reference in the documentation are
 * all derived from one tree of these; `ValueOf` ties the tree to the types.
 */
export type ConfigField = BooleanField | IntegerField | TextField | ListField | MapField | ObjectField

/** `required` must be written, `optional` stays absent if it is not, `defaulted` is then filled in. */
export type ConfigPresence = 'required' | 'optional' | 'defaulted'

interface Described<P extends ConfigPresence> {
  readonly description: string
  readonly presence: P
}

export interface BooleanField<P extends ConfigPresence = ConfigPresence> extends Described<P> {
  readonly type: 'boolean'
  readonly default?: boolean
}

export interface IntegerField<P extends ConfigPresence = ConfigPresence> extends Described<P> {
  readonly type: 'integer'
  readonly minimum: number
  readonly maximum: number
  readonly default?: number
  /** What an absent value means, if it is not a fixed number. */
  readonly absent?: string
}

export interface TextField<P extends ConfigPresence = ConfigPresence> extends Described<P> {
  readonly type: 'text'
  readonly format: TextFormat
  readonly default?: string
  /** What an absent value means, if it is not a fixed text. */
  readonly absent?: string
}

/** Empty by default, unless it is optional. */
export interface ListField<Items extends ConfigField = ConfigField, P extends ConfigPresence = ConfigPresence>
  extends Described<P> {
  readonly type: 'list'
  readonly items: Items
  /** What an absent list means, if it is not an empty one. */
  readonly absent?: string
  /** A member in which all items must differ. */
  readonly distinct?: string
}

/** User-defined names to values of one kind; empty by default. */
export interface MapField<Values extends ConfigField = ConfigField, P extends ConfigPresence = ConfigPresence>
  extends Described<P> {
  readonly type: 'map'
  readonly keys: TextFormat
  readonly values: Values
}

export interface ObjectField<M extends ConfigMembers = ConfigMembers, P extends ConfigPresence = ConfigPresence>
  extends Described<P> {
  readonly type: 'object'
  /** Set on objects that are used in several places and described once. */
  readonly name?: string
  readonly members: M
  readonly rules?: readonly ObjectRule[]
}

export type ConfigMembers = Readonly<Record<string, ConfigField>>

export type ObjectRule =
  /** Members of exactly one of the groups are given. */
  | { readonly type: 'one-group'; readonly groups: readonly (readonly string[])[] }
  | { readonly type: 'any-of'; readonly members: readonly string[] }

/** The type that a field describes, with defaults filled in. */
export type ValueOf<F> = F extends BooleanField
  ? boolean
  : F extends IntegerField
    ? number
    : F extends TextField
      ? string
      : F extends ListField<infer Items>
        ? readonly ValueOf<Items>[]
        : F extends MapField<infer Values>
          ? Readonly<Record<string, ValueOf<Values>>>
          : F extends ObjectField<infer M>
            ? ObjectValue<M>
            : never

type ObjectValue<M extends ConfigMembers> = {
  readonly [K in keyof M as M[K] extends { presence: 'optional' } ? never : K]: ValueOf<M[K]>
} & { readonly [K in keyof M as M[K] extends { presence: 'optional' } ? K : never]?: ValueOf<M[K]> }
