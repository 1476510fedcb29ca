import type { SignedOn } from '../../auth/signed-on.ts'
import type { KeySettings } from '../access-keys/parts.ts'

/** When a session ends that begins now, however much it is used: the sign-in that it came of may set an earlier end. */
export function sessionEndMs(
  { sessionSeconds }: Pick<KeySettings, 'sessionSeconds'>,
  signedOn: Pick<SignedOn, 'latestEndMs'> | undefined,
  nowMs: number,
): number {
  return Math.min(nowMs + sessionSeconds * 1000, signedOn?.latestEndMs ?? Number.POSITIVE_INFINITY)
}
