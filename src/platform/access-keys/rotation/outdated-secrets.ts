import { placeText } from '../../../api/managed-secret.ts'
import type { ReviewContext } from '../../../server/reviews/contract.ts'
import type { CheckedSecret, SecretState } from '../../managed-secrets/managed-secrets.ts'

const reasons: Readonly<Record<Exclude<SecretState, 'holds'>, string>> = {
  'other-value': 'it holds another value',
  replaced: 'it was replaced since it was added, and must be added again',
  gone: 'it no longer exists',
  unreached: 'its cluster was not reached',
  unwritten: 'it could not be written',
}

/** Warns about Secrets of a key that do not get its new value. Readers of the key already see their names in it. */
export function warnOfOutdatedSecrets(
  { warn }: Pick<ReviewContext, 'warn'>,
  what: string,
  looked: readonly CheckedSecret[],
): void {
  const texts = looked.flatMap(({ secret, state }) =>
    state === 'holds' ? [] : [`${placeText(secret)} (${reasons[state]})`],
  )
  if (texts.length > 0) warn(`${what}: ${texts.join(', ')}`)
}
