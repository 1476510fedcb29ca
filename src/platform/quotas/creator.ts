import { isJsonObject } from '../../base/json/member.ts'
import type { Hooks } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'
import { isPlatform } from '../platform-user.ts'

/** Seals into new objects which caller has made them: whatever is done to an object later, it stays on that account. */
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

/** Undefined for what the platform has made, and for what is older than this record. */
export function creatorIn(sealed: Buffer | undefined): string | undefined {
  const value: unknown = sealed === undefined ? undefined : JSON.parse(sealed.toString())
  return isJsonObject(value) && typeof value.creator === 'string' ? value.creator : undefined
}
