import type { Steps } from '../../base/steps.ts'
import type { V2Document } from '../../registry/aggregation/v2-document.ts'
import type { Described } from './described.ts'
import type { FieldTexts } from './field-texts.ts'
import { foreignV2Parts, openApiV2Parts, type V2Parts } from './v2.ts'
import { joinedV2, type V2Format, type V2Fragments, v2Fragments } from './v2-fragments.ts'

/** A subject of the document, with the object that identifies it. */
export interface DocumentSubject {
  readonly source: object
  readonly described?: Described
  readonly foreign?: V2Document
}

/**
 * The OpenAPI 2 document in one format. It covers everything, while users change kinds one at a time: built-in kinds
 * are printed once, and each kind of a user when it is added.
 */
export class V2Pieces {
  readonly #format: V2Format
  readonly #known = new WeakMap<object, V2Fragments>()
  #base: { readonly sources: readonly object[]; readonly fragments: V2Fragments } | undefined

  constructor(format: V2Format) {
    this.#format = format
  }

  *print(subjects: readonly DocumentSubject[], texts: FieldTexts): Steps<readonly Buffer[]> {
    const built = subjects.filter(isBuilt)
    const base = yield* this.#printBase(built, texts)
    const all = [base]
    for (const subject of subjects) if (!isBuilt(subject)) all.push(yield* this.#printOne(subject, base, texts))
    yield
    return joinedV2(all, this.#format)
  }

  *#printBase(subjects: readonly DocumentSubject[], texts: FieldTexts): Steps<V2Fragments> {
    const sources = subjects.map(({ source }) => source)
    if (this.#base !== undefined && isSame(sources, this.#base.sources)) return this.#base.fragments
    const parts = yield* openApiV2Parts(describedIn(subjects), texts)
    const fragments = yield* v2Fragments(parts, this.#format)
    this.#base = { sources, fragments }
    return fragments
  }

  /**
   * Omits definitions shared by all kinds: hundreds of kinds would each keep a copy. Built-in definitions do not
   * change.
   */
  *#printOne(subject: DocumentSubject, base: V2Fragments, texts: FieldTexts): Steps<V2Fragments> {
    const known = this.#known.get(subject.source)
    if (known !== undefined) return known
    const { paths, definitions } = yield* partsOf(subject, texts)
    const own = new Map([...definitions].filter(([name]) => !base.definitions.has(name)))
    const fragments = yield* v2Fragments({ paths, definitions: own }, this.#format)
    this.#known.set(subject.source, fragments)
    return fragments
  }
}

function isBuilt({ described }: DocumentSubject): boolean {
  return described !== undefined && described.stored?.flavor !== 'custom'
}

function* partsOf({ described, foreign }: DocumentSubject, texts: FieldTexts): Steps<V2Parts> {
  if (foreign !== undefined) return foreignV2Parts(foreign)
  return yield* openApiV2Parts(described === undefined ? [] : [described], texts)
}

function describedIn(subjects: readonly DocumentSubject[]): readonly Described[] {
  return subjects.flatMap(({ described }) => described ?? [])
}

function isSame(left: readonly object[], right: readonly object[]): boolean {
  return left.length === right.length && left.every((each, index) => each === right[index])
}
