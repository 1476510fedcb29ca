import { kindMessageSchema } from '../facts/message-schema.ts'
import type { FieldError } from '../field-error.ts'
import type { Cell, Column, Kind, NameRule, PartialUpdate, RowCondition, StoredAs } from '../kind.ts'
import type { KubeObject } from '../object.ts'
import { strategyOf, type TypedStrategy } from './typed-strategy.ts'

/** A column for objects of one kind. */
export interface TypedColumn<T extends KubeObject> extends Omit<Column, 'value'> {
  readonly value: (object: T, nowMs: number) => Cell
}

/** The stored form of a kind that is only a view; its type is private to the kind that stores it. */
export interface TypedStoredAs<T extends KubeObject> extends Pick<StoredAs, 'group' | 'plural' | 'version'> {
  readonly toStored: (object: T) => KubeObject
  readonly fromStored: (stored: never) => T
}

export interface TypedPartialUpdate<T extends KubeObject> extends Pick<PartialUpdate, 'verbs'> {
  readonly apply: (sent: T, old: T) => T
  readonly validate?: (object: T, old: T) => readonly FieldError[]
}

/** What is specific to a builtin kind; omitted facts are those of most kinds. */
export interface BuiltinFacts<T extends KubeObject>
  extends Pick<Kind, 'group' | 'version' | 'kind' | 'plural' | 'namespaced'>,
    Partial<
      Pick<
        Kind,
        | 'shortNames'
        | 'categories'
        | 'deprecation'
        | 'hasStatus'
        | 'doubles'
        | 'hasSealedPart'
        | 'hasNullRows'
        | 'hasFixedSpec'
        | 'hasGeneration'
        | 'generationCountsAnnotations'
        | 'generationCountsLabels'
        | 'statusKeeps'
        | 'hasConstantGeneration'
        | 'orphansByDefault'
        | 'hasNoDependents'
        | 'orphaningWarning'
        | 'keepsTemplate'
        | 'keepsStatusOnCreate'
        | 'allowsUnconditionalUpdate'
        | 'allowsCreateOnUpdate'
        | 'deleteAnswer'
        | 'withoutVerbs'
      >
    > {
  readonly nameRule?: NameRule
  /** The full name of its protobuf message, from which its schema is made. */
  readonly message: string
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>
  readonly partialUpdates?: Readonly<Record<string, TypedPartialUpdate<T>>>
  readonly scale?: { readonly selector: (object: T) => string }
  readonly storedAs?: TypedStoredAs<T>
  readonly columns: readonly TypedColumn<T>[]
  readonly rowOrder?: (left: T, right: T) => number
  readonly rowConditions?: (object: T) => readonly RowCondition[]
  readonly strategy: TypedStrategy<T>
}

type Functions<T extends KubeObject> = Pick<
  BuiltinFacts<T>,
  'columns' | 'rowOrder' | 'rowConditions' | 'selectableFields' | 'partialUpdates' | 'scale' | 'storedAs'
>

export function builtinKind<T extends KubeObject>(facts: BuiltinFacts<T>): Kind {
  const { message, strategy, columns, rowOrder, rowConditions, selectableFields, partialUpdates, ...others } = facts
  const { scale, storedAs, ...rest } = others
  const functions: Functions<T> = {
    columns,
    ...(rowOrder && { rowOrder }),
    ...(rowConditions && { rowConditions }),
    ...(selectableFields && { selectableFields }),
    ...(partialUpdates && { partialUpdates }),
    ...(scale && { scale }),
    ...(storedAs && { storedAs }),
  }
  return {
    singular: facts.kind.toLowerCase(),
    flavor: 'builtin',
    nameRule: 'dns-subdomain',
    hasStatus: false,
    hasGeneration: false,
    allowsUnconditionalUpdate: true,
    allowsCreateOnUpdate: false,
    deleteAnswer: 'status',
    ...rest,
    ...untyped(functions),
    protobufMessage: message,
    strategy: strategyOf(message, strategy),
    get schema() {
      return kindMessageSchema(message)
    },
  }
}

/** The functions of a kind are only called with objects of that kind. */
function untyped<T extends KubeObject>(functions: Functions<T>): Pick<Kind, keyof Functions<T>> {
  return functions as unknown as Pick<Kind, keyof Functions<T>>
}
