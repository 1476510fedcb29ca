import type { SecretPlace } from './types/management.ts'

/** On a Secret created by `tenant create`: the name of the key in it. It informs people; no decision depends on it. */
export const managedKeyLabel = 'tenant.internal/access-key'

/** The entry of a Secret that holds the value of a key. */
export const accessKeyEntry = 'accessKey'

const longestLabel = 63

/** Empty for a name that does not fit into a label. */
export function managedKeyLabels(keyName: string): Readonly<Record<string, string>> {
  return keyName.length > longestLabel ? {} : { [managedKeyLabel]: keyName }
}

/** Equal for the same place, however it is written. */
export function placeId({ cluster = '', namespace = '', name = '', entry }: SecretPlace): string {
  return JSON.stringify([cluster, namespace, name, entry || accessKeyEntry])
}

export function samePlaces(left: readonly SecretPlace[], right: readonly SecretPlace[]): boolean {
  const known = new Set(right.map(placeId))
  return left.length === right.length && left.every((place) => known.has(placeId(place)))
}

/** In words, such as `Secret team-a/key of cluster host`. */
export function placeText({ cluster = '', namespace = '', name = '', entry }: SecretPlace): string {
  const where = cluster === '' ? '' : ` of cluster ${cluster}`
  return `Secret ${namespace}/${name}${where}${(entry || accessKeyEntry) === accessKeyEntry ? '' : `, entry ${entry}`}`
}
