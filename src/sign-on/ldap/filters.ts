import { AndFilter, EqualityFilter, ExtensibleFilter, type Filter, FilterParser, OrFilter } from 'ldapts'
import { SignOnFailure } from '../failure.ts'

/**
 * Values are put into filters as they are, never into a text that is parsed: nothing in them can have a special
 * meaning.
 */

const inChainRule = '1.2.840.113556.1.4.1941'

export function parsedFilter(text: string): Filter {
  try {
    return FilterParser.parseString(text)
  } catch {
    throw new SignOnFailure('misconfigured', `the filter ${text} cannot be read`)
  }
}

export function matchingBoth(first: Filter, second: Filter): Filter {
  return new AndFilter({ filters: [first, second] })
}

export function anyOf(filters: readonly Filter[]): Filter {
  return new OrFilter({ filters: [...filters] })
}

export function equals(attribute: string, value: string | Buffer): Filter {
  return new EqualityFilter({ attribute, value })
}

/** Active Directory follows nested memberships. */
export function inChain(attribute: string, value: string): Filter {
  return new ExtensibleFilter({ rule: inChainRule, matchType: attribute, value })
}
