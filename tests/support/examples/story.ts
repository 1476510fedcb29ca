import { ApiError } from '../../../src/api/error.ts'
import type { Kind } from '../../../src/api/kind.ts'
import type { KubeObject } from '../../../src/api/object.ts'
import { applyConfiguration } from '../../../src/registry/fields/apply.ts'
import { trackUpdate } from '../../../src/registry/fields/track.ts'

/** For tests: requests to one object, one after the other, a second apart. */

export const start = Date.parse('2026-11-15T00:00:00Z')

/** One object and the requests it has seen. */
export class Story {
  readonly #kind: Kind
  object: KubeObject | undefined
  #seconds = 0

  constructor(kind: Kind) {
    this.#kind = kind
  }

  apply(
    manager: string,
    members: Record<string, unknown>,
    options: { force?: boolean; subresource?: string } = {},
  ): this {
    const { force = false, subresource = '' } = options
    const config = this.#with(members)
    this.object = identified(
      applyConfiguration({
        kind: this.#kind,
        live: this.object,
        config,
        manager,
        force,
        subresource,
        nowMs: this.#now(),
      }),
    )
    return this
  }

  update(manager: string, members: Record<string, unknown>, subresource = ''): this {
    const { managedFields: _, ...metadata } = this.object?.metadata ?? {}
    const { metadata: sent, ...rest } = members
    const after = { ...this.#with(rest), metadata: { ...metadata, name: 'x', ...Object(sent) } }
    this.object = identified(
      trackUpdate({ kind: this.#kind, before: this.object, after, manager, subresource, nowMs: this.#now() }),
    )
    return this
  }

  /** The object without the members that every object has. */
  get members(): Record<string, unknown> {
    const { apiVersion: _, kind: __, metadata, ...members } = this.object ?? this.#with({})
    const { labels, annotations } = metadata
    return { ...members, ...(labels && { labels }), ...(annotations && { annotations }) }
  }

  get owners(): Record<string, unknown> {
    return Object.fromEntries(
      (this.object?.metadata.managedFields ?? []).map((entry) => [
        `${entry.manager}${entry.subresource === undefined ? '' : `/${entry.subresource}`} ${entry.operation}`,
        entry.fieldsV1,
      ]),
    )
  }

  timeOf(manager: string): string | undefined {
    return this.object?.metadata.managedFields?.find((entry) => entry.manager === manager)?.time
  }

  refusal(action: () => unknown): ApiError {
    const before = this.object
    try {
      action()
    } catch (error) {
      if (this.object !== before) throw new Error('the object changed although the request was refused')
      if (error instanceof ApiError) return error
      throw error
    }
    throw new Error('nothing was refused')
  }

  #with(members: Record<string, unknown>): KubeObject {
    const { metadata, ...rest } = members
    const apiVersion = this.#kind.group === '' ? 'v1' : `${this.#kind.group}/v1`
    return { apiVersion, kind: this.#kind.kind, metadata: { name: 'x', ...Object(metadata) }, ...rest }
  }

  #now(): number {
    this.#seconds += 1
    return start + this.#seconds * 1000
  }
}

/** The server gives every object an identity, which distinguishes an update from a create. */
export function identified(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, uid: 'u1', resourceVersion: '7' } }
}

export function defined(object: KubeObject | undefined): KubeObject {
  if (object === undefined) throw new Error('the story has no object yet')
  return object
}
