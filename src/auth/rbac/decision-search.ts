import type { Attributes, Decision } from '../../api/access.ts'
import type { SubjectGrant } from './binding-index.ts'
import { allows, mostExamined, RuleBudget } from './compiled-rules.ts'
import { type GrantSource, grantSources } from './grant-sources.ts'
import { MissingRoles } from './missing-roles.ts'
import type { RbacState } from './state.ts'

const noOpinion: Decision = { verdict: 'no-opinion', reason: '' }
const tooMuch: Decision = {
  verdict: 'no-opinion',
  reason: `RBAC: more than ${mostExamined} bindings and rules are about this, and only the first of them were looked at`,
}

/**
 * A decision in progress. Between its steps roles and bindings may change: each binding is looked at as it is when its
 * turn comes, and never after it was removed.
 */
export class DecisionSearch {
  readonly #state: RbacState
  readonly #attributes: Attributes
  readonly #sources: readonly GrantSource[]
  readonly #budget = new RuleBudget()
  readonly #missing = new MissingRoles()
  #next = 0
  #namespace = ''
  #grants: Iterator<SubjectGrant> | undefined

  constructor(state: RbacState, attributes: Attributes) {
    this.#state = state
    this.#attributes = attributes
    this.#sources = grantSources(state, attributes.user, 'path' in attributes ? '' : attributes.namespace)
  }

  /** The decision; undefined if it takes more than this many checks. */
  goOn(checks: number): Decision | undefined {
    const enough = this.#budget.left - checks
    while (this.#budget.left > enough) {
      const grant = this.#nextGrant()
      if (grant === undefined) return this.#undecided()
      if (this.#isAllowedBy(grant)) return grant.allowed
      if (this.#budget.areUsedUp) return tooMuch
    }
    return undefined
  }

  #isAllowedBy({ role }: SubjectGrant): boolean {
    if (!this.#budget.take(1)) return false
    const rules = this.#state.roles.find(role, this.#namespace)
    if (rules === undefined) {
      this.#missing.add(role)
      return false
    }
    return allows(rules, this.#attributes, this.#budget)
  }

  #nextGrant(): SubjectGrant | undefined {
    for (;;) {
      const next = this.#grants?.next()
      if (next?.done === false) return next.value
      const source = this.#sources[this.#next]
      if (source === undefined) return undefined
      this.#next += 1
      this.#namespace = source.namespace
      this.#grants = source.grants.values()
    }
  }

  #undecided(): Decision {
    return this.#missing.isEmpty ? noOpinion : { verdict: 'no-opinion', reason: `RBAC: ${this.#missing.text}` }
  }
}
