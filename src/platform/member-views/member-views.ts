import type { Decision, UserInfo } from '../../api/access.ts'
import type { Kind } from '../../api/kind.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { projectOfNamespace } from '../../auth/scope/request.ts'
import type { AskedCollection, Document, Visibility } from '../../registry/contract.ts'
import type { Directory } from '../owners/directory.ts'
import { isPlatform } from '../platform-user.ts'
import { grantsVerb } from '../projects/access-grants.ts'
import type { ProjectMembership } from '../projects/membership.ts'
import { groupStandingFor } from './view-authorizer.ts'
import type { ViewChanges } from './view-changes.ts'
import { viewerOf } from './viewer.ts'

export interface MemberViewsParts {
  /** Rights on all objects of a kind, without the rule that lets every user list. */
  readonly all: Authorizer
  /** Rights from roles alone. */
  readonly roles: Authorizer
  readonly projects: ProjectMembership
  readonly directory: Directory
  readonly changes: ViewChanges
}

/**
 * Decides what lists and watches show to users who may not list all objects: the objects they may get. Grants in an
 * object are read from the state being shown, so that a watch reports when a change of the object makes it visible or
 * hides it.
 */
export class MemberViews {
  readonly #parts: MemberViewsParts

  constructor(parts: MemberViewsParts) {
    this.#parts = parts
  }

  /**
   * Undefined for users who may list all objects. A watch outlives its authorization: one that a project or an object
   * allows continues only as long as it does.
   */
  visibility(kind: Kind, user: UserInfo, { verb, namespace, name }: AskedCollection): Visibility | undefined {
    const { all, roles, changes, directory } = this.#parts
    if (isPlatform(user)) return undefined
    const { group, version, plural: resource } = kind
    const asked = { user, verb, group, version, resource, subresource: '', namespace, name }
    const seesAll = isAllowed(all.authorize(asked))
    if (seesAll && (verb === 'list' || isAllowed(roles.authorize(asked)))) return undefined
    return {
      id: JSON.stringify([user.name, user.groups, seesAll]),
      sees: (document) =>
        this.#belongs(kind, user, document) ||
        (seesAll && grantsVerb(document, verb, user, directory)) ||
        this.#mayGet(kind, user, document),
      changes: changes.of(viewerOf(user, directory)),
    }
  }

  #belongs(kind: Kind, user: UserInfo, document: Document): boolean {
    const { projects, directory } = this.#parts
    const group = groupStandingFor(kind.plural, document.name)
    if (group !== undefined) return user.groups.includes(group)
    if (grantsVerb(document, 'get', user, directory)) return true
    if (kind.kind === 'Project') return projects.isMemberBy(document, user)
    return projects.isMember(projectOfNamespace(document.namespace), user)
  }

  #mayGet({ group, version, plural: resource }: Kind, user: UserInfo, { namespace, name }: Document): boolean {
    const { roles } = this.#parts
    const asked = { user, verb: 'get', group, version, resource, subresource: '', namespace, name }
    return isAllowed(roles.authorize(asked))
  }
}

/** Roles answer synchronously, unless many bindings name the user. An object whose decision is not ready is not shown. */
function isAllowed(decision: Decision | Promise<Decision>): boolean {
  return !(decision instanceof Promise) && decision.verdict === 'allow'
}
