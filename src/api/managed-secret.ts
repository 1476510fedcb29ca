/** On a Secret whose entry `accessKey` the platform keeps up to date: the name of the key. */
export const managedKeyLabel = 'tenant.internal/access-key'

/** The entry of a Secret that holds the value of a key. */
export const accessKeyEntry = 'accessKey'

const longestLabel = 63

/** Nothing for a name that no label can hold. */
export function managedKeyLabels(keyName: string): Readonly<Record<string, string>> {
  return keyName.length > longestLabel ? {} : { [managedKeyLabel]: keyName }
}
