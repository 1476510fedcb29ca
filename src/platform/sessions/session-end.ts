import type { SignedOn } from '../../auth/signed-on.ts'
import type { KeySettings } from '../access-keys/parts.ts'

/** The end of a session that begins now, however much it is used: its sign-in may set an earlier end. */
export function sessionEndMs(
  { sessionSeconds }: Pick<KeySettings, 'sessionSeconds'>,
  signedOn: Pick<SignedOn, 'latestEndMs'> | undefined,
  nowMs: number,
): number {
  return Math.min(nowMs + sessionSeconds * 1000, signedOn?.latestEndMs ?? Number.POSITIVE_INFINITY)
}
