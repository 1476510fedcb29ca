import { withoutKeys } from '../../auth/keys/redact.ts'

/** A message about a wrong command line repeats parts of it, and one of them may be a key. */
export function hideSecrets(text: string): string {
  return withoutKeys(text.replace(/(--?[\w-]*key[\w-]*=)[^'"\s]*/gi, '$1[hidden]'))
}
