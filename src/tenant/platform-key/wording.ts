import type { KeyLookup, KeySecretPlace, KeySource } from './contract.ts'

export function printSource(source: KeySource): string {
  if (source.type === 'environment') return 'the environment variable LICENSE'
  return `the Secret ${source.name} of namespace ${source.namespace}`
}

/** The missing rights, for the administrator who can add them. */
export function howToAllow({ namespace, name }: KeySecretPlace): string {
  return (
    `the tenant may not read the Secret ${name} of namespace ${namespace}: its ServiceAccount needs a Role there with the ` +
    `verbs get, list and watch on secrets with the resourceName ${name}, and a RoleBinding to it; ` +
    'tenant create --upgrade makes both unless external.platform.apiKey.createRBAC is false'
  )
}

/** What to report to the operator of the tenant; undefined if there is no problem. */
export function lookupProblem(lookup: KeyLookup): string | undefined {
  switch (lookup.state) {
    case 'found':
      return undefined
    case 'wrong':
    case 'forbidden':
      return lookup.message
    case 'absent':
      return lookup.expectation === 'optional' ? undefined : noKey(lookup.looked)
  }
}

function noKey(looked: readonly KeySource[]): string {
  const places = looked.map(printSource)
  return `there is no key for the platform: neither ${places.join(' nor ')} exists; the tenant continues without its platform and keeps looking`
}
