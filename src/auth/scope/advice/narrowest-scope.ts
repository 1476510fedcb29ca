import type { AccessKeyScope, ScopeRole } from '../../../api/types/management.ts'
import type { KeyUse } from '../../keys/contract.ts'
import { anything, isFolded } from '../../keys/usage/fold-uses.ts'
import { compileScope } from '../compile.ts'
import type { ScopeEnvironment } from '../grant.ts'
import { isLinking } from '../privilege.ts'
import { projectOfNamespace } from '../request.ts'
import { validateScope } from '../validate.ts'
import { mergedRules, type PlainRule, scopeRule } from './plain-rule.ts'
import { ruleForUse } from './rule-for-use.ts'
import { recordedRequest, targetOfText } from './use-request.ts'

export interface ScopeAdvice<Use extends KeyUse = KeyUse> {
  readonly scope: AccessKeyScope
  /** Uses that no scope allows, such as making tokens of service accounts. */
  readonly uncovered: readonly Use[]
}

/** One entry of a scope under construction. */
type Piece =
  | { readonly space: { readonly project: string; readonly space: string } }
  | { readonly role: ScopeRole }
  | { readonly rule: PlainRule }

/**
 * The narrowest scope that allows the recorded uses. Rules express them exactly, with two exceptions: they cannot name
 * the space of a use, and linking takes the role made for it.
 */
export function narrowestScope<Use extends KeyUse>(
  uses: readonly Use[],
  environment: ScopeEnvironment,
): ScopeAdvice<Use> {
  const nothing = scopeOf([{ rule: ruleForUse(always, environment) }])
  const grantedAnyway = compileScope(nothing, environment)
  const needed = uses.filter((use) => grantedAnyway?.grant(recordedRequest(use)).granted !== true)
  const pieces = needed.map((use) => ({ use, piece: pieceFor(use, environment) }))
  const covered = new Set(pieces.filter(({ use, piece }) => isCovering(piece, use, environment)))
  return {
    scope: covered.size === 0 ? nothing : scopeOf([...covered].map(({ piece }) => piece)),
    uncovered: pieces.filter((each) => !covered.has(each)).map(({ use }) => use),
  }
}

/** Folded uses are not requests that a client could send. */
function isCovering(piece: Piece, use: KeyUse, environment: ScopeEnvironment): boolean {
  const scope = scopeOf([piece])
  return validateScope(scope).length === 0 && (isFolded(use) || isGranted(scope, use, environment))
}

/** A use that every key may make. A scope without any entry would limit nothing. */
const always: KeyUse = {
  verb: 'get',
  group: '',
  resource: '',
  namespace: '',
  name: '',
  path: '/version',
  target: 'management',
}

function isGranted(scope: AccessKeyScope, use: KeyUse, environment: ScopeEnvironment): boolean {
  return compileScope(scope, environment)?.grant(recordedRequest(use)).granted === true
}

function pieceFor(use: KeyUse, environment: ScopeEnvironment): Piece {
  const target = targetOfText(use.target)
  if (target?.kind === 'space') return { space: { project: target.project, space: target.space } }
  return isLinking(recordedRequest(use), environment.managementGroup)
    ? { role: linkingRole(use) }
    : { rule: ruleForUse(use, environment) }
}

function linkingRole({ namespace, name }: KeyUse): ScopeRole {
  const project = projectOfNamespace(namespace) ?? anything
  return { role: 'tenant', projects: [project], virtualClusters: [name === '' ? anything : name] }
}

function scopeOf(pieces: readonly Piece[]): AccessKeyScope {
  const spaces = distinct(pieces.flatMap((piece) => ('space' in piece ? piece.space : [])))
  const roles = distinct(pieces.flatMap((piece) => ('role' in piece ? piece.role : [])))
  const rules = mergedRules(pieces.flatMap((piece) => ('rule' in piece ? piece.rule : [])))
  return {
    ...(roles.length === 0 ? {} : { roles }),
    ...(spaces.length === 0 ? {} : { spaces }),
    ...(rules.length === 0 ? {} : { rules: rules.map(scopeRule) }),
  }
}

function distinct<T extends object>(entries: readonly T[]): readonly T[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()]
}
