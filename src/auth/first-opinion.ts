import type { Attributes, Decision, UserInfo } from '../api/access.ts'
import type { Authorizer, RuleSet } from './contract.ts'

/** Asks the authorizers in order; the first that allows or denies decides. If none does, there is no opinion. */
export function firstOpinion(authorizers: readonly Authorizer[]): Authorizer {
  return {
    authorize: (attributes) => ask(authorizers, 0, attributes, ''),
    rulesFor: async (user, namespace) => joined(await rulesOfAll(authorizers, user, namespace)),
  }
}

/** Stays synchronous as long as the answers are: every request needs a decision. */
function ask(
  authorizers: readonly Authorizer[],
  from: number,
  attributes: Attributes,
  reasonsBefore: string,
): Decision | Promise<Decision> {
  let reasons = reasonsBefore
  for (let index = from; index < authorizers.length; index++) {
    const decision = authorizers[index]?.authorize(attributes)
    if (decision === undefined) continue
    if (decision instanceof Promise) {
      const reasonsSoFar = reasons
      return decision.then((late) =>
        late.verdict === 'no-opinion'
          ? ask(authorizers, index + 1, attributes, lines(reasonsSoFar, late.reason))
          : late,
      )
    }
    if (decision.verdict !== 'no-opinion') return decision
    reasons = lines(reasons, decision.reason)
  }
  return { verdict: 'no-opinion', reason: reasons }
}

function lines(before: string, next: string): string {
  if (before === '' || next === '') return before + next
  return `${before}\n${next}`
}

function rulesOfAll(
  authorizers: readonly Authorizer[],
  user: UserInfo,
  namespace: string,
): Promise<readonly RuleSet[]> {
  return Promise.all(authorizers.map((each) => each.rulesFor(user, namespace)))
}

function joined(sets: readonly RuleSet[]): RuleSet {
  const errors = sets.flatMap((each) => (each.evaluationError === undefined ? [] : [each.evaluationError]))
  return {
    resourceRules: sets.flatMap((each) => each.resourceRules),
    pathRules: sets.flatMap((each) => each.pathRules),
    incomplete: sets.some((each) => each.incomplete),
    ...(errors.length === 0 ? {} : { evaluationError: errors.join(', ') }),
  }
}
