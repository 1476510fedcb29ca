import { isJsonObject } from '../../base/json/member.ts'
import type { Hooks } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import { isPlatform } from '../platform-user.ts'

/** Seals into each new object which caller created it: whatever happens to it later, it counts against that account. */
export function withCreator(hooks: Hooks, creatorOf: (request: WriteRequest) => string): Hooks {
  return {
    ...hooks,
    admitCreate: async (object, request) => {
      const admitted = (await hooks.admitCreate?.(object, request)) ?? { object }
      if (isPlatform(request.user)) return admitted
      return { ...admitted, sealed: { ...admitted.sealed, creator: creatorOf(request) } }
    },
  }
}

/** Undefined for objects that the platform created, and for objects older than this record. */
export function creatorIn(sealed: Buffer | undefined): string | undefined {
  const value: unknown = sealed === undefined ? undefined : JSON.parse(sealed.toString())
  return isJsonObject(value) && typeof value.creator === 'string' ? value.creator : undefined
}
