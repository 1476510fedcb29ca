import type { ScopeGrant } from './grant.ts'
import type { TargetPattern } from './target-pattern.ts'
import { type Texts, wildcard } from './texts.ts'

/**
 * Finds the grants that may cover another one by target and name, so that scopes listing hundreds of virtual clusters
 * are compared entry by entry, not each entry with each.
 */
export class GrantIndex {
  readonly #all: readonly ScopeGrant[]
  readonly #byPlace = new Map<string, ScopeGrant[]>()
  /** Grants that list several texts where most name one. */
  readonly #others: ScopeGrant[] = []

  constructor(grants: readonly ScopeGrant[]) {
    this.#all = grants
    for (const grant of grants) {
      const place = placeOf(grant)
      if (place === undefined) this.#others.push(grant)
      else this.#at(place.join(separator)).push(grant)
    }
  }

  /** Contains every grant that covers the given one. */
  mayCover(grant: ScopeGrant): readonly ScopeGrant[] {
    const place = placeOf(grant)
    if (place === undefined) return this.#all
    const found = [...this.#others]
    for (const key of widerKeys(place)) found.push(...(this.#byPlace.get(key) ?? none))
    return found
  }

  #at(key: string): ScopeGrant[] {
    const grants = this.#byPlace.get(key) ?? []
    this.#byPlace.set(key, grants)
    return grants
  }
}

/** Matches are compared exactly later, so a text that contains it does no harm. */
const separator = '\n'

const none: readonly ScopeGrant[] = []

/** One text, or the wildcard, for each part of a grant's reach; undefined if a part has several texts or none. */
type Place = readonly string[]

function placeOf(grant: ScopeGrant): Place | undefined {
  const parts = [...targetParts(grant.target), grant.form === 'resource' ? grant.names : undefined]
  if (parts.some((part) => part !== undefined && part.size !== 1)) return undefined
  return [grant.target.kind, grant.form, ...parts.map(onlyText)]
}

function onlyText(texts: Texts): string {
  for (const text of texts ?? []) return text
  return wildcard
}

function targetParts(target: TargetPattern): readonly Texts[] {
  switch (target.kind) {
    case 'management':
      return []
    case 'cluster':
      return [target.cluster]
    case 'space':
      return [target.project, target.space]
    case 'virtual-cluster':
      return [target.project, target.virtualCluster]
  }
}

/** The keys of this place, and of all places with the wildcard in some of its parts. */
function widerKeys([kind = '', form = '', ...parts]: Place): readonly string[] {
  let keys = [kind + separator + form]
  for (const part of parts) {
    const texts = part === wildcard ? [wildcard] : [part, wildcard]
    keys = keys.flatMap((key) => texts.map((text) => key + separator + text))
  }
  return keys
}
