import { placeId, placeText } from '../../../api/managed-secret.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { AccessKey } from '../../../api/types/management.ts'
import { accessKeyOf, isOfSession } from '../record/access-key.ts'

/** A noteworthy step in the life of a key. The same step always has the same `occasion`. */
export interface KeyEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason:
    | 'Created'
    | 'FirstUsed'
    | 'ExpiringSoon'
    | 'Expired'
    | 'Rotated'
    | 'Disabled'
    | 'Enabled'
    | 'SecretAdded'
  readonly message: string
  readonly occasion: string
}

/** The steps that a change of a stored key shows. Sessions are too short-lived to report. */
export function keyEventsOf(object: KubeObject, previous: KubeObject | undefined): readonly KeyEvent[] {
  const key = accessKeyOf(object)
  if (isOfSession(key.spec ?? {})) return []
  if (previous === undefined) return [created(key), ...ofSecrets(key, undefined)]
  const before = accessKeyOf(previous)
  return [
    ...ofValue(key, before),
    ...ofSwitch(key, before),
    ...ofUse(key, before),
    ...ofEnd(key, before),
    ...ofSecrets(key, before),
  ]
}

function created({ status }: AccessKey): KeyEvent {
  return { type: 'Normal', reason: 'Created', message: `made with the key id ${status?.keyId ?? ''}`, occasion: '' }
}

function ofValue({ status }: AccessKey, before: AccessKey): readonly KeyEvent[] {
  const [keyId = '', oldId = ''] = [status?.keyId, before.status?.keyId]
  if (keyId === oldId) return []
  const until = status?.rotation?.previousValidUntil
  const overlap = typeof until === 'string' ? `, which stays valid until ${until}` : ''
  const message = `the value with the key id ${keyId} replaces ${oldId}${overlap}`
  return [{ type: 'Normal', reason: 'Rotated', message, occasion: keyId }]
}

function ofSwitch({ spec, metadata }: AccessKey, before: AccessKey): readonly KeyEvent[] {
  const isDisabled = spec?.disabled === true
  if (isDisabled === (before.spec?.disabled === true)) return []
  const occasion = String(metadata.generation ?? 0)
  return isDisabled
    ? [{ type: 'Warning', reason: 'Disabled', message: 'the key is refused until it is enabled', occasion }]
    : [{ type: 'Normal', reason: 'Enabled', message: 'the key is accepted again', occasion }]
}

function ofUse({ status }: AccessKey, before: AccessKey): readonly KeyEvent[] {
  if (status?.lastActivity === undefined || before.status?.lastActivity !== undefined) return []
  const from = status.lastUsedFrom ?? 'an unknown address'
  return [{ type: 'Normal', reason: 'FirstUsed', message: `used for the first time, from ${from}`, occasion: '' }]
}

function ofEnd({ status }: AccessKey, before: AccessKey): readonly KeyEvent[] {
  if (status?.phase !== 'Expired' || before.status?.phase === 'Expired') return []
  const occasion = status.expiresAt ?? ''
  return [{ type: 'Warning', reason: 'Expired', message: `expired at ${occasion}`, occasion }]
}

/** Reports added Secrets, so that an owner notices one that they did not add. */
function ofSecrets({ status }: AccessKey, before: AccessKey | undefined): readonly KeyEvent[] {
  const known = new Set((before?.status?.managedSecrets ?? []).map(({ uid }) => uid))
  return (status?.managedSecrets ?? [])
    .filter(({ uid }) => !known.has(uid))
    .map((secret) => ({
      type: 'Normal',
      reason: 'SecretAdded',
      message: `every new value is written into ${placeText(secret)}, which ${secret.addedBy ?? ''} added`,
      occasion: `${placeId(secret)} ${secret.uid}`,
    }))
}
