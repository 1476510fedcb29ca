import { isRefusal } from '../api/error.ts'

/**
 * Whether the API server itself reports that there is no such object. A 404 from an intermediary, such as a proxy whose
 * backends are down, names no object; nothing is deleted because of it.
 */
export function saysGone(error: unknown, { name }: { readonly name: string }): boolean {
  return isRefusal(error, 404) && error.status.details?.name === name
}
