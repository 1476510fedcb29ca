import { isRefusal } from '../api/error.ts'

/**
 * Whether the API server itself says that there is no such object. A 404 of somebody in between, such as a proxy whose
 * backends are away, names no object; nothing is deleted on its word.
 */
export function saysGone(error: unknown, { name }: { readonly name: string }): boolean {
  return isRefusal(error, 404) && error.status.details?.name === name
}
