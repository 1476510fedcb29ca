import type { UserInfo } from '../../api/access.ts'
import type { KubeObject } from '../../api/object.ts'
import { projectNamespace } from '../../auth/scope/request.ts'
import { LatestOnly } from '../../base/concurrency/latest-only.ts'
import { shareOfTurn } from '../../base/concurrency/shared-turns.ts'
import { deepEqual } from '../../base/equal.ts'
import { asMembers } from '../../base/json/lenient.ts'
import type { VisibilityChanges } from '../../registry/contract.ts'
import type { StoredDocument } from '../../registry/document.ts'
import type { Follower } from '../follow.ts'
import type { ReachedObject } from './reached-object.ts'
import { type RoleParts, rolesInside } from './roles-inside.ts'
import { attributesOn } from './target-authorizer.ts'

export interface OpenRightsParts extends RoleParts {
  /** Changes of teams and roles that concern a user. */
  readonly changesOf: (user: UserInfo) => Pick<VisibilityChanges, 'listen'>
}

/** The rights with which a stream began. */
export interface RightsOfStream {
  /** Aborts when the user no longer has them. */
  readonly ended: AbortSignal
  /** Call when the stream has ended. */
  forget(): void
}

/**
 * Streams to APIs behind the platform outlive the request that was authorized: a watch, a log, a command in a
 * container. They end when their user may no longer use the API, or has another role inside.
 */
export class OpenRights {
  readonly #parts: OpenRightsParts
  /** What to do when an object, or the project that it is in, grants other rights. */
  readonly #looks = new Map<string, Set<() => void>>()

  constructor(parts: OpenRightsParts) {
    this.#parts = parts
  }

  of(user: UserInfo, object: ReachedObject, roles: readonly string[]): RightsOfStream {
    const over = new AbortController()
    const looks = new LatestOnly<undefined>(async () => {
      const has = await this.#has(user, object, roles).catch(() => false)
      if (!has) over.abort(new Error('The user no longer has the rights with which the stream began.'))
    })
    const look = () => looks.add(undefined)
    const places = [placeOf(object.resource, object.namespace, object.name), object.namespace]
    for (const place of places) this.#looks.set(place, (this.#looks.get(place) ?? new Set()).add(look))
    const stopListening = this.#parts.changesOf(user).listen(look)
    // The request may have waited for its turn since it was authorized.
    look()
    const forget = () => {
      stopListening()
      for (const place of places) this.#remove(place, look)
    }
    return { ended: over.signal, forget }
  }

  /** Follows objects that grant access to themselves. */
  objects(plural: string): Follower {
    return this.#follower(accessOf, ({ namespace, name }) => placeOf(plural, namespace, name))
  }

  /** Follows projects, whose members have rights on what is in them. */
  projects(): Follower {
    return this.#follower(membersOf, ({ name }) => projectNamespace(name))
  }

  #follower(granted: (object: KubeObject) => unknown, place: (document: StoredDocument) => string): Follower {
    const look = (document: StoredDocument) => {
      for (const each of this.#looks.get(place(document)) ?? []) each()
    }
    return {
      first: () => {},
      put: (document, previous) => {
        if (previous === undefined || !deepEqual(granted(document.object), granted(previous.object))) look(document)
      },
      remove: look,
      unreadable: look,
    }
  }

  /** In turns, and only after everything that knows about rights has learned of the change. */
  async #has(user: UserInfo, object: ReachedObject, roles: readonly string[]): Promise<boolean> {
    await shareOfTurn(this)
    const { owners, managementGroup } = this.#parts
    const decision = await owners.authorize(attributesOn(user, 'use', managementGroup, object))
    return decision.verdict === 'allow' && deepEqual(await rolesInside(user, object, this.#parts), roles)
  }

  #remove(place: string, look: () => void): void {
    const looks = this.#looks.get(place)
    looks?.delete(look)
    if (looks?.size === 0) this.#looks.delete(place)
  }
}

function placeOf(plural: string, namespace: string, name: string): string {
  return `${plural}/${namespace}/${name}`
}

function accessOf({ spec }: KubeObject): unknown {
  return asMembers(spec).access
}

function membersOf({ spec }: KubeObject): unknown {
  const { members, owner, access } = asMembers(spec)
  return { members, owner, access }
}
